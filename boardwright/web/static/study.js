// Study: step through a game, look as any seat, ask agents, branch off, let others go on from there.
//
// The page holds the game: how it began, and its actions. The address says where one is, so that it can be sent on:
// #table=ID&move=12, #file=NAME&game=3&move=12, or #line=… with everything in it.

import { bar } from "./page.js";
import { byId, dot, fill, h, toast } from "./dom.js";
import { get, keepTokens, postWithSeed, postWithStart, send } from "./api.js";
import { AgentForm } from "./agentform.js";
import { Board } from "./board.js";
import { Choices } from "./choices.js";
import { drawCurve } from "./curve.js";
import { SetChoice } from "./setchoice.js";
import { showCases, showReasons } from "./reasons.js";

bar();

const heading = h("h1", { className: "table-title" }, "Study");
const says = h("span", { className: "say", id: "say", role: "status", ariaLive: "polite" }, "Open a game to study it.");
const boardElement = h("div", { className: "board", id: "board" });
const choicesElement = h("div", { className: "choices", id: "choices" });
const logElement = h("div", { className: "log", id: "log", role: "group", ariaLabel: "The moves" });
const reasonsElement = h("div", { id: "reasons" });
const casesElement = h("section", { className: "panel cases-beside", id: "cases" });
const curveElement = h("div", { id: "curve" });
const slider = h("input", { type: "range", id: "slider", min: 0, max: 0, value: 0, ariaLabel: "move", oninput: () => go(Number(slider.value)) });
const looking = h("select", { id: "looking", ariaLabel: "Look as", onchange: () => show() });
const adviser = h("div", { className: "row" });
const branchBox = h("div", { className: "row", id: "branch" });
const overBox = h("div", { id: "takeover" });
const source = h("section", { className: "panel" });
const button = (text, label, act) => h("button", { title: label, ariaLabel: label, onclick: act }, text);
const steps = h(
  "div",
  { className: "steps hidden", id: "steps" },
  button("|◀", "to the beginning (Home)", () => go(0)),
  button("◀", "one move back (←)", () => go(at - 1)),
  slider,
  button("▶", "one move on (→)", () => go(at + 1)),
  button("▶|", "to the end (End)", () => go(actions.length)),
  looking,
);

document.body.append(
  h(
    "main",
    { className: "atable study" },
    h("div", {}, h("div", { className: "status" }, heading, says), steps, branchBox, boardElement, casesElement),
    h(
      "div",
      { className: "side" },
      source,
      h("section", { className: "panel" }, h("h2", {}, "Moves"), logElement),
      h("section", { className: "panel" }, h("h2", {}, "What an agent thinks"), adviser, reasonsElement),
      h("section", { className: "panel" }, h("h2", {}, "Chances to win"), curveElement, h("p", { className: "small faint" }, "Estimated by playouts from what each seat knows, in turn: nobody knows which cards come next.")),
      h("section", { className: "panel" }, h("h2", {}, "What if"), h("p", { className: "small faint" }, "Choose another move on the board, or here:"), choicesElement, overBox),
    ),
  ),
);

const board = new Board(boardElement, tryMove);
const choices = new Choices(choicesElement, tryMove);
const setChoice = new SetChoice(choicesElement, board, trySet);

let start = null; // how the game began
let names = [];
let actions = []; // what is shown: the game, or a branch of it
let played = []; // the game as it was played
let log = [];
let at = 0;
let position = null;
let chances = new Map();
let link = {}; // how the address names this game
let form = null;
let asked = 0;

// Sources

async function showSources() {
  const upload = h("input", { type: "file", id: "upload", ariaLabel: "a record file or a saved game" });
  upload.onchange = async () => {
    try {
      list(await send("/api/records", await upload.files[0].arrayBuffer()), {});
    } catch (error) {
      toast(error.message);
    }
  };
  const { files } = await get("/api/files");
  const folder = h("select", { id: "files", ariaLabel: "record files" }, h("option", { value: "" }, "a file of the records folder …"), files.map((name) => h("option", { value: name }, name)));
  folder.onchange = () => folder.value && openFile(folder.value);
  const found = h("div", { id: "found", className: "log" });
  fill(source, h("h2", {}, "Open a game"), h("div", { className: "row" }, upload), files.length ? h("div", { className: "row" }, folder) : null, found);
}

async function openFile(name, number) {
  try {
    const content = await get(`/api/files/${encodeURIComponent(name)}`);
    list(content, { file: name }, number);
  } catch (error) {
    toast(error.message);
  }
}

function list(content, from, number) {
  const open = (game) => openGame(game, from.file ? { file: from.file, game: game.number } : {});
  fill(
    byId("found"),
    content.total > content.games.length ? h("p", { className: "small faint" }, `the first ${content.games.length} of ${content.total}`) : null,
    content.games.map((game) =>
      h("div", { role: "button", tabIndex: 0, onclick: () => open(game), onkeydown: (event) => event.key === "Enter" && open(game) }, h("b", {}, `${game.number}. `), `${game.title}: ${game.agents.join(" · ")}${game.scores ? ` — ${game.scores.join(" : ")}` : ""}${game.forfeit ? `, ${game.forfeit}` : ""}`),
    ),
  );
  const wanted = content.games.find((game) => game.number === number) || content.games[0];
  if (wanted) open(wanted);
}

async function openGame(game, from, move = null) {
  start = { game: game.game, seats: game.seats, seed: game.seed, options: game.options };
  names = game.agents.map((name, seat) => (game.agents.indexOf(name) === game.agents.lastIndexOf(name) ? name : `${name} ${seat + 1}`));
  board.rename = rename;
  link = from;
  played = game.actions;
  fill(looking, h("option", { value: "" }, "everything open"), names.map((name, seat) => h("option", { value: seat }, `as ${seat + 1}: ${name}`)));
  await line(played, move ?? (from.move || 0));
  adviserForm();
}

const rename = (text) => text.replace(/\bseat (\d+)\b/gi, (whole, number) => names[number - 1] ?? whole);

// Moving about

async function line(next, move) {
  actions = next;
  chances = new Map();
  asked += 1;
  try {
    const told = await postWithStart("/api/log", start, { actions });
    log = told.log.map((entry) => ({ ...entry, text: rename(entry.text) }));
    document.title = `${told.title} · Study · Boardwright`;
    heading.textContent = told.title;
  } catch (error) {
    toast(error.message);
    return;
  }
  slider.max = actions.length;
  steps.classList.remove("hidden");
  showLog();
  await go(move);
  curve(asked);
}

async function go(move) {
  if (!start) return;
  at = Math.max(0, Math.min(actions.length, move));
  slider.value = at;
  await show();
}

async function show() {
  if (!start) return;
  const seat = looking.value === "" ? null : Number(looking.value);
  const wanted = at;
  let found;
  try {
    found = await postWithStart("/api/position", start, { actions: actions.slice(0, wanted), seat });
  } catch (error) {
    toast(error.message);
    return;
  }
  if (wanted !== at) return;
  position = found;
  board.remember();
  board.show(position.picture, position.text, position.choices);
  if (position.set) choices.hide();
  else choices.show(position.choices);
  setChoice.show(position.set, `${asked} ${at}`);
  says.textContent = say();
  showReasons(reasonsElement, null);
  showCases(casesElement, null);
  markLog();
  showBranch();
  showCurve();
  address();
}

function say() {
  const where = `Move ${at} of ${actions.length}`;
  if (position.over) return `${where}: the end. ${names.map((name, seat) => `${name} ${position.scores[seat]}`).join(", ")}`;
  const last = at ? log[at - 1] : null;
  return `${where}${last ? ` · ${names[last.seat]}: ${last.text}` : ""} · next: ${names[position.player]}`;
}

function showLog() {
  fill(
    logElement,
    log.map((told) =>
      h(
        "div",
        { role: "button", tabIndex: 0, onclick: () => go(told.move + 1), onkeydown: (event) => event.key === "Enter" && go(told.move + 1) },
        dot(told.seat),
        h("span", { className: "who" }, ` ${names[told.seat]}: `),
        told.text,
      ),
    ),
  );
}

function markLog() {
  [...logElement.children].forEach((row, number) => row.classList.toggle("now", number === at - 1));
  const now = logElement.children[at - 1];
  if (now) logElement.scrollTop = now.offsetTop - logElement.offsetTop - 60;
}

// Branches

const branched = () => actions.length !== played.length || actions.some((action, move) => action !== played[move]);

function tryMove(action) {
  if (!position || !position.choices.some((choice) => choice.action === action)) return;
  if (actions[at] === action) go(at + 1);
  else line([...actions.slice(0, at), action], at + 1);
}

async function trySet(places) {
  try {
    const { actions: steps } = await postWithStart("/api/steps", start, { actions: actions.slice(0, at), places });
    if (steps.every((action, number) => actions[at + number] === action)) go(at + steps.length);
    else line([...actions.slice(0, at), ...steps], at + steps.length);
  } catch (error) {
    toast(error.message);
  }
}

function showBranch() {
  const off = branched();
  fill(
    branchBox,
    off ? h("span", { className: "warn" }, "What if: not the game as it was played.") : null,
    off ? h("button", { id: "mainline", onclick: () => line(played, Math.min(at, played.length)) }, "Back to the game") : null,
    position.over ? null : h("button", { id: "takeover-open", onclick: takeover }, "Let others go on from here"),
    h("button", { id: "link", onclick: copyLink }, "Link to this position"),
  );
}

async function takeover() {
  const catalogue = await get("/api/games");
  const game = catalogue.games.find((one) => one.name === start.game);
  const forms = names.map((_, seat) => new AgentForm(game, names.length, catalogue.levels, { person: true, value: seat === position.player ? "person" : "level:strong", label: game.seat_names[seat] }));
  fill(
    overBox,
    h("h2", {}, `A new table from move ${at}`),
    forms.map((one, seat) => h("div", { className: "row" }, h("span", {}, game.seat_names[seat]), one.select, one.more)),
    h("button", { className: "main", id: "takeover-start", onclick: () => newTable(forms) }, "Start"),
  );
  overBox.scrollIntoView({ block: "nearest" });
}

async function newTable(forms) {
  try {
    const wanted = { game: start.game, options: start.options, actions: actions.slice(0, at), seats: forms.map((one) => ({ agent: one.value() })) };
    const table = await postWithSeed("/api/tables", wanted, start.seed);
    keepTokens(table.id, table.tokens);
    const first = Object.values(table.tokens)[0];
    location.href = `/table/${table.id}${first ? `#${first}` : ""}`;
  } catch (error) {
    toast(error.message);
  }
}

// Links

function lineText() {
  const whole = JSON.stringify({ ...start, actions, agents: names });
  return btoa(String.fromCharCode(...new TextEncoder().encode(whole))).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

function fromText(text) {
  const bytes = Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));
  return JSON.parse(new TextDecoder().decode(bytes));
}

function address() {
  const said = new URLSearchParams(branched() || !Object.keys(link).length ? { line: lineText() } : link);
  said.set("move", at);
  if (looking.value !== "") said.set("seat", looking.value);
  history.replaceState(null, "", `#${said}`);
}

async function copyLink() {
  await navigator.clipboard?.writeText(location.href).catch(() => null);
  toast("The address of this page leads to this position; it was copied if your browser allows that.");
}

// Agents and chances

async function adviserForm() {
  const catalogue = await get("/api/games");
  const game = catalogue.games.find((one) => one.name === start.game);
  form = new AgentForm(game, start.seats, catalogue.levels, { value: "level:the strongest", label: "agent to ask" });
  fill(adviser, form.select, h("button", { id: "ask", onclick: ask }, "Ask"), h("button", { id: "play-best", onclick: playBest }, "Let it move"), h("div", { className: "small" }, form.more));
}

async function think() {
  fill(reasonsElement, h("p", { className: "spin" }, "thinking …"));
  const move = at;
  const thought = await postWithStart("/api/think", start, { actions: actions.slice(0, move), agent: form.value() });
  if (move !== at) return null;
  showReasons(reasonsElement, thought, `${thought.agent}:`, rename);
  showCases(casesElement, thought);
  board.advise(thought.options, thought.action);
  return thought;
}

function ask() {
  think().catch((error) => {
    showReasons(reasonsElement, null);
    showCases(casesElement, null);
    toast(error.message);
  });
}

async function playBest() {
  try {
    const thought = await think();
    if (thought) tryMove(thought.action);
  } catch (error) {
    toast(error.message);
  }
}

const POINTS = 60;
const AT_ONCE = 12;

async function curve(mine) {
  const step = Math.max(1, Math.ceil(actions.length / POINTS));
  const wanted = [];
  for (let move = 0; move < actions.length; move += step) wanted.push(move);
  wanted.push(actions.length);
  for (let first = 0; first < wanted.length && mine === asked; first += AT_ONCE) {
    try {
      const found = await postWithStart("/api/curve", start, { actions, at: wanted.slice(first, first + AT_ONCE) });
      if (mine !== asked) return;
      for (const [move, values] of found.points) chances.set(move, values);
      showCurve();
    } catch (error) {
      toast(error.message);
      return;
    }
  }
}

function showCurve() {
  const points = [...chances].sort(([one], [other]) => one - other);
  drawCurve(curveElement, points, actions.length, at, names, go);
}

document.addEventListener("keydown", (event) => {
  if (/INPUT|SELECT|TEXTAREA/.test(event.target.tagName) || event.ctrlKey || event.altKey || event.metaKey) return;
  const where = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: actions.length }[event.key];
  if (where !== undefined) {
    event.preventDefault();
    go(where);
  }
});

async function begin() {
  await showSources();
  const said = new URLSearchParams(location.hash.slice(1));
  const move = Number(said.get("move") || 0);
  if (said.get("line")) await openGame(fromText(said.get("line")), {}, move);
  else if (said.get("table")) await openGame(await get(`/api/tables/${said.get("table")}/game`), { table: said.get("table") }, move);
  else if (said.get("file")) await openFile(said.get("file"), Number(said.get("game") || 1));
  if (said.get("seat") && start) {
    looking.value = said.get("seat");
    await show();
  }
  if (said.get("file") && move) await go(move);
}

begin().catch((error) => toast(error.message));
