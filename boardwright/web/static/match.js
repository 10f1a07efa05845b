// Matches and ladders of agents, with the standings as they come in.

import { bar } from "./page.js";
import { byId, fill, h, toast } from "./dom.js";
import { get, post, postWithSeed } from "./api.js";
import { AgentForm } from "./agentform.js";

bar();
const setup = h("section", { className: "panel" });
const runs = h("section", { className: "panel" }, h("h2", {}, "Matches"), h("div", { id: "runs" }));
const result = h("section", { className: "panel", id: "result" }, h("p", { className: "faint" }, "Start a match to see its standings here."));
document.body.append(h("main", {}, h("h1", {}, "Agents against agents"), h("div", { className: "columns" }, h("div", {}, setup, h("p"), result), runs)));

let catalogue;
let forms = [];
let shown = location.hash.slice(1) || null;

function choose(game) {
  const kind = h("select", { id: "kind" }, h("option", { value: "match" }, "a match"), h("option", { value: "ladder" }, "a ladder: everybody meets everybody"));
  fill(
    setup,
    h("div", { className: "row" }, h("label", { htmlFor: "game" }, "Game"), gameSelect(game), kind),
    h("div", { id: "agents" }),
    h(
      "div",
      { className: "row" },
      h("button", { onclick: () => add(game) }, "One more agent"),
      h("button", { onclick: () => { forms.pop(); rows(game); } }, "One less"),
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
  );
  forms = [];
  for (let seat = 0; seat < game.seats[0]; seat += 1) forms.push(agent(game, seat));
  rows(game);
}

function gameSelect(chosen) {
  const select = h("select", { id: "game" }, catalogue.games.filter((game) => !game.broken).map((game) => h("option", { value: game.name }, game.title)));
  select.value = chosen.name;
  select.onchange = () => choose(catalogue.games.find((game) => game.name === select.value));
  return select;
}

const agent = (game, seat) => new AgentForm(game, game.seats[0], catalogue.levels, { value: seat ? "agent:random" : "level:easy" });

function add(game) {
  forms.push(agent(game, forms.length));
  rows(game);
}

function rows() {
  fill(byId("agents"), forms.map((form, number) => h("div", { className: "seat" }, h("span", {}, `agent ${number + 1}`), form.select, form.more)));
}

async function start(game) {
  try {
    const wanted = { kind: byId("kind").value, game: game.name, agents: forms.map((form) => form.spec()), games: Number(byId("count").value) };
    const run = await postWithSeed("/api/matches", wanted, byId("seed").value.trim() || "0");
    shown = run.id;
    history.replaceState(null, "", `#${run.id}`);
    follow();
  } catch (error) {
    toast(error.message);
  }
}

async function follow() {
  const { matches } = await get("/api/matches");
  fill(
    byId("runs"),
    matches.length
      ? h("ul", { className: "list" }, matches.map((run) => h("li", {}, h("a", { href: `#${run.id}`, onclick: () => { shown = run.id; follow(); } }, `${run.title}: ${run.agents.join(" – ")}`), h("div", { className: "small faint" }, `${run.played} of ${run.games} games, ${run.status}`))))
      : h("p", { className: "faint" }, "None yet."),
  );
  if (!shown || !matches.some((run) => run.id === shown)) return;
  show(await get(`/api/matches/${shown}`));
}

function show(run) {
  fill(
    result,
    h("h2", {}, `${run.title}: ${run.played.toLocaleString("en")} of ${run.games.toLocaleString("en")} games`),
    h("progress", { max: run.games, value: run.played, ariaLabel: "games played" }),
    (run.report?.sections || []).map(section),
    h("p", { className: "faint small", id: "run-status" }, `${run.status}${run.note ? `: ${run.note}` : ""}`),
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

async function begin() {
  catalogue = await get("/api/games");
  choose(catalogue.games.find((game) => game.name === "connect_four") || catalogue.games[0]);
  await follow();
  setInterval(() => follow().catch((error) => toast(error.message)), 700);
}

begin().catch((error) => toast(error.message));
