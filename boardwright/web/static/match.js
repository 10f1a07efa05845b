// Matches and ladders of agents, with the standings as they come in.

import { bar } from "./page.js";
import { byId, fill, h, refill, toast } from "./dom.js";
import { get, post, postWithSeed } from "./api.js";
import { AgentForm } from "./agentform.js";

bar();
const setup = h("section", { className: "panel" });
const runs = h("section", { className: "panel" }, h("h2", {}, "Matches"), h("div", { id: "runs" }));
const result = h("section", { className: "panel", id: "result" }, h("p", { className: "faint" }, "Start a match to see its standings here."));
document.body.append(h("main", {}, h("h1", {}, "Agents against agents"), h("div", { className: "columns" }, h("div", {}, setup, h("p"), result), runs)));

const MOST_IN_LADDER = 12;
let catalogue;
let forms = [];
let shown = location.hash.slice(1) || null;

function choose(game) {
  const kind = h("select", { id: "kind", ariaLabel: "kind", onchange: () => rows(game) }, h("option", { value: "match" }, "a match"), h("option", { value: "ladder" }, "a ladder: everybody meets everybody"));
  fill(
    setup,
    h("div", { className: "row" }, h("label", { htmlFor: "game" }, "Game"), gameSelect(game), kind),
    h("div", { id: "agents" }),
    h(
      "div",
      { className: "row" },
      h("button", { id: "more", onclick: () => rows(game, forms.length + 1) }, "One more agent"),
      h("button", { id: "less", onclick: () => rows(game, forms.length - 1) }, "One less"),
    ),
    h(
      "div",
      { className: "row" },
      h("label", { htmlFor: "count" }, "Games"),
      h("input", { type: "number", id: "count", value: 100, min: 1 }),
      h("label", { htmlFor: "seed" }, "Seed"),
      h("input", { type: "text", id: "seed", value: "0", inputMode: "numeric" }),
      h("button", { className: "main", id: "start", onclick: () => start(game) }, "Start"),
    ),
    h("p", { className: "warn", id: "wrong", role: "alert" }),
  );
  forms = [];
  rows(game, game.seats[0]);
}

function gameSelect(chosen) {
  const select = h("select", { id: "game" }, catalogue.games.filter((game) => !game.broken).map((game) => h("option", { value: game.name }, game.title)));
  select.value = chosen.name;
  select.onchange = () => choose(catalogue.games.find((game) => game.name === select.value));
  return select;
}

// In a match everybody sits at one table; of a ladder's agents as many as the game needs.
function rows(game, count = forms.length) {
  const ladder = byId("kind").value === "ladder";
  const [least, most] = ladder ? [Math.max(2, game.seats[0]), MOST_IN_LADDER] : [Math.min(...game.seats), Math.max(...game.seats)];
  const wanted = Math.max(least, Math.min(most, count));
  const seats = ladder ? game.seats[0] : wanted;
  const before = forms;
  forms = [...Array(wanted).keys()].map((number) => new AgentForm(game, seats, catalogue.levels, { value: before[number]?.select.value || (number ? "agent:random" : "level:easy"), label: `agent ${number + 1}` }));
  fill(byId("agents"), forms.map((form, number) => h("div", { className: "seat" }, h("span", {}, `agent ${number + 1}`), form.select, form.more)));
  byId("more").disabled = wanted >= most;
  byId("less").disabled = wanted <= least;
}

function wanted(game) {
  const games = Number(byId("count").value);
  const seed = byId("seed").value.trim() || "0";
  if (!Number.isInteger(games) || games < 1) throw new Error("Games: how many games should be played? A whole number from 1 on.");
  if (!/^\d{1,20}$/.test(seed)) throw new Error("Seed: a whole number, as 0; the same seed gives the same games.");
  return [{ kind: byId("kind").value, game: game.name, agents: forms.map((form) => form.value()), games }, seed];
}

async function start(game) {
  byId("wrong").textContent = "";
  try {
    const run = await postWithSeed("/api/matches", ...wanted(game));
    shown = run.id;
    history.replaceState(null, "", `#${run.id}`);
    await follow();
  } catch (error) {
    byId("wrong").textContent = error.message;
  }
}

async function follow() {
  const { matches } = await get("/api/matches");
  refill(
    byId("runs"),
    matches.length
      ? h("ul", { className: "list" }, matches.map((run) => h("li", {}, h("a", { href: `#${run.id}` }, `${run.title}: ${run.agents.join(" – ")}`), h("div", { className: "small faint" }, `${run.played} of ${run.games} games, ${run.status}`))))
      : h("p", { className: "faint" }, "None yet."),
  );
  if (!shown || !matches.some((run) => run.id === shown)) return;
  show(await get(`/api/matches/${shown}`));
}

function show(run) {
  refill(
    result,
    h("h2", {}, `${run.title}: ${run.played.toLocaleString("en")} of ${run.games.toLocaleString("en")} games`),
    h("progress", { max: run.games, value: run.played, ariaLabel: "games played" }),
    (run.report?.sections || []).map(section),
    h("p", { className: "faint small", id: "run-status" }, run.note.startsWith(run.status) ? run.note : `${run.status}${run.note ? `: ${run.note}` : ""}`),
    run.status === "running" ? h("button", { onclick: () => post(`/api/matches/${run.id}/stop`, {}).catch((error) => toast(error.message)) }, "Stop") : null,
    run.has_plot ? h("div", { className: "plot" }, h("img", { src: `/api/matches/${run.id}/plot.svg`, alt: "the result as a plot" })) : null,
  );
}

function section(part) {
  if (part.line) return h("p", { className: "small" }, part.line);
  const cell = (tag, text, left) => h(tag, { className: left ? "left" : "" }, text);
  return h(
    "div",
    {},
    h("p", {}, h("b", {}, part.title)),
    h(
      "table",
      { className: "plain" },
      h("thead", {}, h("tr", {}, part.headings.map((heading) => cell("th", heading.text, heading.left)))),
      h("tbody", {}, part.rows.map((row) => h("tr", {}, row.map((text, column) => cell("td", text, part.headings[column].left))))),
    ),
  );
}

addEventListener("hashchange", () => {
  shown = location.hash.slice(1) || null;
  follow().catch((error) => toast(error.message));
});

async function begin() {
  catalogue = await get("/api/games");
  choose(catalogue.games.find((game) => game.name === "connect_four") || catalogue.games[0]);
  await follow();
  setInterval(() => follow().catch((error) => toast(error.message)), 700);
}

begin().catch((error) => toast(error.message));
