// The lobby: choose a game, its options and who sits where; tables under way and over.

import { bar } from "./page.js";
import { byId, dot, fill, h, refill, toast } from "./dom.js";
import { get, keepTokens, postWithSeed, tokensOf } from "./api.js";
import { AgentForm } from "./agentform.js";
import { Field } from "./fields.js";

bar();
const main = h("main", {}, h("h1", {}, "Choose a game"), h("div", { className: "games", id: "games" }));
const setup = h("section", { className: "panel", id: "setup" }, h("p", { className: "faint" }, "The games are being opened …"));
const tables = h("section", { className: "panel", id: "tables" });
main.append(h("div", { className: "columns" }, setup, tables));
document.body.append(main);

let catalogue;
let forms = [];
let options = [];
let position = ""; // what the game begins with, if that is no fresh deal
let server = ""; // which one has answered
const AT_FIRST = 12; // tables of a kind
let all = false; // whether all are listed

async function start() {
  showTables();
  setInterval(showTables, 5000);
  catalogue = await get("/api/games");
  fill(
    byId("games"),
    catalogue.games.filter((game) => game.broken && game.own).map((game) => h("div", { className: "panel broken", role: "alert" }, h("b", {}, game.title), h("pre", {}, game.broken), h("p", { className: "small" }, "Mend it and save: this page sees it."))),
    catalogue.games.filter((game) => !game.broken).map((game) =>
      h(
        "button",
        { className: "game", id: `game-${game.name}`, onclick: () => choose(game) },
        h("img", { src: `/api/games/${game.name}/picture.svg`, alt: "", loading: "lazy" }),
        h("span", { className: "caption" }, h("span", { className: "title" }, game.title), h("br"), h("span", { className: "faint small" }, players(game))),
      ),
    ),
  );
  const wanted = new URLSearchParams(location.search).get("game");
  choose(catalogue.games.find((game) => game.name === wanted && !game.broken) || catalogue.games.find((game) => !game.broken));
  await like(new URLSearchParams(location.search).get("like"));
}

function players(game) {
  const [low, high] = [Math.min(...game.seats), Math.max(...game.seats)];
  return `${low === high ? low : `${low} to ${high}`} seats${game.hidden ? ", hidden information" : ""}`;
}

function choose(game) {
  document.querySelectorAll(".game").forEach((card) => card.classList.toggle("on", card.id === `game-${game.name}`));
  const count = h("select", { id: "count", onchange: () => seats(game) }, game.seats.map((n) => h("option", { value: n }, n)));
  options = game.options.map((option) => new Field(option, game.seat_names));
  fill(
    setup,
    h("h2", {}, `New table: ${game.title}`),
    h("p", {}, h("a", { href: `/rules/${game.name}`, id: "how-to" }, `How to play ${game.title}`)),
    game.seats.length > 1 ? h("div", { className: "row" }, h("label", { htmlFor: "count" }, "Seats"), count) : count,
    h("p", { className: "small", id: "position" }),
    h("div", { id: "seats" }),
    h(
      "details",
      {},
      h("summary", {}, "Options, seed, clock, pace, blind"),
      h(
        "div",
        { className: "form small" },
        options.map((field) => field.rows()),
        h("label", { htmlFor: "seed" }, "seed"),
        h("input", { type: "text", id: "seed", inputMode: "numeric", placeholder: "secret and random" }),
        h("div", { className: "meaning faint" }, "The same seed deals the same game; whoever knows it could know the deal."),
        h("label", { htmlFor: "minutes" }, "minutes per person"),
        h("input", { type: "number", id: "minutes", min: 0.1, max: 1440, step: "any", placeholder: "no clock" }),
        h("label", { htmlFor: "increment" }, "seconds per decision"),
        h("input", { type: "number", id: "increment", min: 0, max: 600, value: 0 }),
        h("label", { htmlFor: "pace" }, "pace of agents"),
        h("input", { type: "number", id: "pace", min: 0, max: 60, step: 0.1, value: 0.6 }),
        h("div", { className: "meaning faint" }, "Seconds that a move of an agent takes at least."),
        h("label", { htmlFor: "blind" }, "blind"),
        h("label", { className: "box" }, h("input", { type: "checkbox", id: "blind" }), "nobody is told who the agents are before the end"),
      ),
    ),
    h("div", { className: "row" }, h("button", { className: "main", id: "open", onclick: () => open(game) }, "Start")),
  );
  if (game.seats.length === 1) count.classList.add("hidden");
  forms = [];
  position = "";
  seats(game);
}

// The settings of another table.
async function like(table) {
  if (!table) return;
  const { setup: before, game: name } = await get(`/api/tables/${encodeURIComponent(table)}`);
  const game = catalogue.games.find((one) => one.name === name);
  if (!game) return;
  byId("count").value = before.seats.length;
  seats(game);
  before.seats.forEach((seat, place) => {
    if (seat.agent) forms[place].keep(seat.agent);
    else forms[place].select.value = seat.open ? "open" : "person";
    forms[place].show();
    if (!seat.agent) forms[place].name.value = seat.name;
  });
  options.forEach((field) => field.set?.(before.options[field.declared.name]));
  byId("pace").value = before.pace;
  byId("blind").checked = before.blind;
  begin(before.position);
  if (before.clock) [byId("minutes").value, byId("increment").value] = [before.clock[0] / 60, before.clock[1]];
}

// A position that the game begins with, until somebody wants a fresh deal after all.
function begin(text) {
  position = text;
  const fresh = h("button", { id: "fresh", className: "link", onclick: () => begin("") }, "a fresh deal instead");
  fill(byId("position"), text ? [`It begins with the same position as before, not with a fresh deal. `, fresh] : null);
}

function seats(game) {
  const count = Number(byId("count").value);
  const kept = forms;
  forms = [];
  const rows = [];
  for (let seat = 0; seat < count; seat += 1) {
    const before = kept[seat];
    const value = before?.select.value || (seat ? "level:easy" : "person");
    const form = new AgentForm(game, count, catalogue.levels, { person: true, value, label: game.seat_names[seat] });
    form.select.id = `seat-${seat}`;
    form.name = h("input", { type: "text", id: `name-${seat}`, maxLength: 40, placeholder: "name", ariaLabel: `name of ${game.seat_names[seat]}`, value: before?.name.value || "" });
    forms.push(form);
    rows.push(h("div", { className: "seat" }, h("span", {}, dot(seat), game.seat_names[seat]), form.select, form.name, form.more));
  }
  options.forEach((field) => field.showSeats(count));
  fill(byId("seats"), rows);
}

async function open(game) {
  const button = byId("open");
  button.disabled = true;
  button.textContent = "Preparing …"; // the first table of a game may have to wait until its rules are compiled
  try {
    const minutes = Number(byId("minutes").value);
    const wanted = {
      game: game.name,
      seats: forms.map((form) => ({ agent: form.value(), name: form.name.value.trim(), open: form.open })),
      ready_check: forms.filter((form) => form.value() === null).length > 1,
      options: Object.fromEntries(options.map((field) => [field.declared.name, field.value()])),
      pace: Number(byId("pace").value),
      blind: byId("blind").checked,
      position,
      clock: minutes ? { seconds: 60 * minutes, increment: Number(byId("increment").value) } : null,
    };
    const seed = byId("seed").value.trim();
    if (seed && !/^\d{1,20}$/.test(seed)) throw new Error("a seed is a whole number");
    const table = await postWithSeed("/api/tables", wanted, seed || null);
    keepTokens(table.id, table.tokens);
    const first = Object.values(table.tokens)[0];
    location.href = `/table/${table.id}${first ? `#${first}` : ""}`;
  } catch (error) {
    toast(error.message);
    button.disabled = false;
    button.textContent = "Start";
  }
}

// Back to this page, which the browser may have kept as it was.
addEventListener("pageshow", (event) => {
  const button = byId("open");
  if (event.persisted && button) Object.assign(button, { disabled: false, textContent: "Start" });
});

async function showTables() {
  let listed;
  try {
    listed = await get("/api/tables");
  } catch (error) {
    return toast(error.message);
  }
  if (server && listed.server !== server) location.reload(); // begun again, with files as they are now
  server = listed.server;
  refill(tables, h("h2", {}, "Tables under way"), list(listed.running, "None yet."), h("h2", {}, "Finished"), list(listed.finished, "None yet."));
}

function list(found, nothing) {
  if (!found.length) return h("p", { className: "faint" }, nothing);
  const shown = all ? found : found.slice(0, AT_FIRST);
  const more = h("button", { className: "link all-tables", onclick: () => ((all = true), showTables()) }, `${found.length - shown.length} more`);
  return [h("ul", { className: "list" }, shown.map(entry)), shown.length < found.length ? more : null];
}

function entry(table) {
  const mine = Object.values(tokensOf(table.id));
  const over = table.status !== "running";
  const link = over ? `/study#table=${table.id}` : `/table/${table.id}${mine.length ? `#${mine[0]}` : ""}`;
  const free = table.seats.some((seat) => seat.open);
  const verb = over ? "replay" : mine.length ? "go on" : free ? "take a seat" : "watch";
  return h(
    "li",
    {},
    h("a", { href: link }, `${table.title} – ${verb}`),
    h("div", { className: "small faint" }, table.seats.map((seat) => seat.name).join(" · "), over ? ` — ${table.note}` : ""),
  );
}

start().catch((error) => toast(error.message));
