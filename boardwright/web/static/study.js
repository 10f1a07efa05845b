// Study: step through a game or from a position, look as any seat, ask agents, branch off, comment, draw arrows, let
// others go on from there.
//
// The page holds the game: how it began, and its actions. The address says where one is, so that it can be sent on:
// #table=ID&move=12, #file=NAME&game=3&move=12, or #line=… with everything in it.

import { bar } from "./page.js";
import { byId, cut, dot, fill, h, toast } from "./dom.js";
import { get, postWithSeed, postWithStart, send } from "./api.js";
import { AgentForm } from "./agentform.js";
import { Arrows } from "./arrows.js";
import { Board } from "./board.js";
import { Choices } from "./choices.js";
import { drawCurve, estimateCurve } from "./curve.js";
import { pointsOfAll, pointsText } from "./ending.js";
import { Explainer } from "./explain.js";
import { playOn } from "./playon.js";
import { Review } from "./review.js";
import { Room } from "./room.js";
import { SetChoice } from "./setchoice.js";
import { showCases, showReasons } from "./reasons.js";
import { Tree, forgetStudies, studies } from "./tree.js";

bar();

const heading = h("h1", { className: "table-title" }, "Study");
const says = h("span", { className: "say", id: "say", role: "status", ariaLive: "polite" }, "Open a game to study it.");
const boardElement = h("div", { className: "board", id: "board" });
const choicesElement = h("div", { className: "choices", id: "choices" });
const logElement = h("div", { className: "log", id: "log", role: "group", ariaLabel: "The moves" });
const reasonsElement = h("div", { id: "reasons" });
const casesElement = h("section", { className: "panel cases-beside", id: "cases" });
const curveElement = h("div", { id: "curve" });
const reviewElement = h("div", { id: "review-panel" });
const slider = h("input", { type: "range", id: "slider", min: 0, max: 0, value: 0, ariaLabel: "move", oninput: () => go(Number(slider.value)) });
const looking = h("select", { id: "looking", ariaLabel: "Look as", onchange: () => show() });
const adviser = h("div", { className: "row" });
const comment = h("textarea", { id: "comment", rows: 2, maxLength: 4000, placeholder: "a comment on this position", ariaLabel: "a comment on this position", oninput: () => note({ comment: comment.value }) });
const drawButton = h("button", { id: "arrows", ariaPressed: "false", title: "click two things of the picture; or drag with the right button", onclick: () => drawArrows(!arrows.drawing) }, "Draw arrows");
const noteBox = h("div", { className: "notes hidden", id: "notes" }, comment, drawButton);
const treeElement = h("div", { className: "log tree", id: "tree" });
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
    h("div", {}, h("div", { className: "status" }, heading, says), steps, branchBox, boardElement, noteBox, casesElement),
    h(
      "div",
      { className: "side" },
      source,
      h("section", { className: "panel" }, h("h2", {}, "Moves"), logElement),
      h("section", { className: "panel" }, h("h2", {}, "Branches"), treeElement),
      h("section", { className: "panel" }, h("h2", {}, "What an agent thinks"), adviser, reasonsElement),
      h("section", { className: "panel" }, h("h2", {}, "Chances to win"), curveElement, h("p", { className: "small faint" }, "Estimated by playouts from what each seat knows, in turn: nobody knows which cards come next.")),
      h("section", { className: "panel" }, h("h2", {}, "Where was it lost?"), reviewElement),
      h("section", { className: "panel" }, h("h2", {}, "What if"), h("p", { className: "small faint" }, "Choose another move on the board, or here:"), choicesElement, overBox),
    ),
  ),
);

const board = new Board(boardElement, tryMove);
const choices = new Choices(choicesElement, tryMove);
const setChoice = new SetChoice(choicesElement, board, trySet);
const arrows = new Arrows(board, () => note({ arrows: arrows.arrows }));
new Explainer(board);
const room = new Room(boardElement, () => show());

let start = null; // how the game began
/** @type {any} */
let tree = null; // what was tried and noted
/** @type {any} */
let game = null; // as it was opened
let names = [];
let actions = []; // what is shown: the game, or a branch of it
let played = []; // the game as it was played
let log = [];
let at = 0;
let position = null;
let chances = new Map();
/** @type {Record<string, string>} */
let link = {}; // how the address names this game
let form = null;
let asked = 0;

const review = new Review(reviewElement, () => ({ start, actions: played, names, forfeited: game?.forfeited_by !== null && game?.forfeited_by !== undefined }), (move) => {
  if (branched()) line(played, move);
  else go(move);
}, (move, seat) => playFrom(played.slice(0, move), seat));

// Sources

async function showSources() {
  const upload = h("input", { type: "file", id: "upload", ariaLabel: "a record file or a saved game" });
  upload.onclick = () => (upload.value = ""); // the same file again, once it is mended
  upload.onchange = async () => {
    if (!upload.files.length) return;
    try {
      await list(await send("/api/records", await upload.files[0].arrayBuffer()), {});
    } catch (error) {
      toast(error.message);
    }
  };
  const { files } = await get("/api/files");
  const folder = h("select", { id: "files", ariaLabel: "record files" }, h("option", { value: "" }, "a file of the records folder …"), files.map((name) => h("option", { value: name }, name)));
  folder.onchange = () => folder.value && openFile(folder.value);
  const found = h("div", { id: "found", className: "log" });
  fill(
    source,
    h("h2", {}, "Open a game or a position"),
    h("div", { className: "row" }, upload),
    files.length ? h("div", { className: "row" }, folder) : null,
    keptStudies(),
    writtenPosition(),
    h("p", { className: "small" }, h("a", { href: "/editor" }, "Make a position field by field")),
    found,
  );
}

function keptStudies() {
  const kept = studies();
  if (!kept.length) return null;
  const select = h("select", { id: "kept", ariaLabel: "studies that this browser keeps" }, h("option", { value: "" }, "a study that this browser keeps …"), kept.map(([key, one]) => h("option", { value: key }, `${one.title || one.game}: ${one.agents.join(" · ")}, ${new Date(one.when).toLocaleDateString()}`)));
  select.onchange = () => select.value && openGame(kept.find(([key]) => key === select.value)?.[1], {});
  const forget = () => {
    forgetStudies();
    showSources();
  };
  return h("div", { className: "row" }, select, h("button", { id: "forget", title: "delete all studies that this browser keeps", onclick: forget }, "Forget all"));
}

function writtenPosition() {
  const text = h("textarea", { id: "written", rows: 5, placeholder: '{"game": "connect_four", "board": [".......", …]}', ariaLabel: "a position as JSON" });
  const seed = h("input", { type: "text", id: "written-seed", inputMode: "numeric", value: "0", ariaLabel: "seed" });
  const wrong = h("p", { className: "warn small", id: "written-wrong", role: "alert" });
  const open = async () => {
    wrong.textContent = "";
    try {
      if (!/^\d{1,20}$/.test(seed.value.trim())) throw new Error("a seed is a whole number");
      list(await postWithSeed("/api/deal", { text: text.value }, seed.value.trim()), {});
    } catch (error) {
      wrong.textContent = error.message;
    }
  };
  return h(
    "details",
    {},
    h("summary", {}, "Write or paste a position"),
    text,
    h("div", { className: "row" }, h("label", { htmlFor: "written-seed", className: "small" }, "seed of what is drawn"), seed, h("button", { id: "written-open", onclick: open }, "Open")),
    wrong,
  );
}

/** @param {string} name @param {number} [number] @param {number | null} [move] */
async function openFile(name, number, move = null) {
  try {
    const content = await get(`/api/files/${encodeURIComponent(name)}`);
    await list(content, { file: name }, number, move);
  } catch (error) {
    toast(error.message);
  }
}

/** @param {any} content @param {any} from @param {number} [number] @param {number | null} [move] */
async function list(content, from, number, move = null) {
  /** @param {any} game @param {number | null} [at] */
  const open = (game, at = null) => openGame(game, from.file ? { file: from.file, game: game.number } : {}, at);
  fill(
    byId("found"),
    content.total > content.games.length ? h("p", { className: "small faint" }, `the first ${content.games.length} of ${content.total}`) : null,
    content.games.map((game) =>
      h("div", { role: "button", tabIndex: 0, onclick: () => open(game), onkeydown: (event) => event.key === "Enter" && open(game) }, h("b", {}, `${game.number}. `), `${game.title}: ${game.agents.join(" · ")}${game.scores ? ` — ${game.scores.map(pointsText).join(" : ")}` : ""}${game.forfeit ? `, ${game.forfeit}` : ""}`),
    ),
  );
  const wanted = content.games.find((game) => game.number === number) || content.games[0];
  if (wanted) await open(wanted, move);
  else toast("There is no game in this file.");
}

/** @param {any} opened @param {any} from @param {number | null} move */
async function openGame(opened, from, move = null) {
  game = opened;
  start = { game: game.game, seats: game.seats, seed: game.seed, options: game.options, position: game.position || "" };
  names = game.agents.map((name, seat) => (game.agents.indexOf(name) === game.agents.lastIndexOf(name) ? name : `${name} ${seat + 1}`));
  board.rename = rename;
  link = from;
  played = game.actions;
  tree = new Tree({ ...start, title: game.title, actions: played, agents: game.agents, notes: game.notes });
  review.reset();
  fill(looking, h("option", { value: "" }, "everything open"), h("option", { value: -1 }, "as everybody"), names.map((name, seat) => h("option", { value: seat }, `as ${seat + 1}: ${name}`)));
  await line(played, move ?? (from.move || 0));
  adviserForm();
  nameBranches(tree);
}

const rename = (text, longest = 40) => text.replace(/\bseat (\d+)\b/gi, (whole, number) => (names[number - 1] ? cut(names[number - 1], longest) : whole));

// Moving about

async function line(next, move) {
  actions = next;
  chances = new Map();
  asked += 1;
  try {
    const described = await postWithStart("/api/log", start, { actions });
    log = described.log.map((entry) => ({ ...entry, text: rename(entry.text) }));
    document.title = `${described.title} · Study · Boardwright`;
    heading.textContent = described.title;
  } catch (error) {
    toast(error.message);
    return;
  }
  tree.name(actions, log);
  if (branched()) tree.keep();
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
    found = await postWithStart("/api/position", start, { actions: actions.slice(0, wanted), seat, ...room.now });
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
  showNotes();
  showReasons(reasonsElement, null);
  showCases(casesElement, null);
  markLog();
  showBranch();
  showCurve();
  address();
}

function say() {
  const where = `Move ${at} of ${actions.length}`;
  if (position.over) return `${where}: the end. ${pointsOfAll(names, position.scores)}`;
  const last = at ? log[at - 1] : null;
  return `${where}${last ? ` · ${names[last.seat]}: ${last.text}` : ""} · next: ${names[position.player]}`;
}

function showLog() {
  fill(
    logElement,
    log.map((entry) =>
      h(
        "div",
        { role: "button", tabIndex: 0, onclick: () => go(entry.move + 1), onkeydown: (event) => event.key === "Enter" && go(entry.move + 1) },
        dot(entry.seat),
        h("span", { className: "who" }, ` ${names[entry.seat]}: `),
        entry.text,
        h("span", { className: "faint noted" }),
      ),
    ),
  );
}

function markLog() {
  const way = tree.way(actions).slice(1);
  [...logElement.children].forEach((row, number) => {
    row.classList.toggle("now", number === at - 1);
    row.querySelector(".noted").textContent = way[number].comment ? ` “${way[number].comment.slice(0, 60)}”` : way[number].arrows.length ? " ↗" : "";
  });
  const now = logElement.children[at - 1];
  if (now) logElement.scrollTop = now.offsetTop - logElement.offsetTop - 60;
}

// Branches, comments, arrows

function note(change) {
  if (!tree) return;
  Object.assign(tree.add(actions.slice(0, at)), change);
  tree.keep();
  markLog();
  showTree();
}

function showNotes() {
  const { comment: text, arrows: drawn } = tree.add(actions.slice(0, at));
  noteBox.classList.remove("hidden");
  if (comment.value !== text) comment.value = text;
  arrows.show(drawn);
  showTree();
}

const showTree = () => tree.draw(treeElement, actions.slice(0, at), names, (next) => line(next, next.length));

function drawArrows(on) {
  arrows.drawing = on;
  arrows.from = null;
  drawButton.classList.toggle("on", on);
  drawButton.setAttribute("aria-pressed", String(on));
}

const MOST_NAMED = 50;

// Branches that come from a file, or from an earlier visit, are numbers of actions at first.
async function nameBranches(mine) {
  for (const branch of mine.unnamed().slice(0, MOST_NAMED)) {
    if (mine !== tree) return;
    const described = await postWithStart("/api/log", start, { actions: branch }).catch(() => null); // it stays a number
    if (described) mine.name(branch, described.log.map((entry) => ({ ...entry, text: rename(entry.text) })));
  }
  if (mine === tree) showTree();
}

function removeBranch() {
  const gone = actions.slice(0, at);
  tree.remove(gone);
  const left = gone.slice(0, -1);
  if (tree.common(left) === left.length) line(played, left.length);
  else line(left, left.length);
}

async function download() {
  try {
    const { forfeited_by = null, forfeit = "" } = game;
    save(await postWithStart("/api/study", start, { actions: played, agents: game.agents, notes: tree.notes(), forfeited_by, forfeit }));
  } catch (error) {
    toast(error.message);
  }
}

async function downloadPosition() {
  try {
    save(await postWithStart("/api/position.json", start, { actions: actions.slice(0, at) }));
  } catch (error) {
    toast(error.message);
  }
}

async function edit() {
  try {
    const { text } = await postWithStart("/api/position.json", start, { actions: actions.slice(0, at) });
    sessionStorage.setItem("edited", text);
    location.href = `/editor#game=${start.game}`;
  } catch (error) {
    toast(error.message);
  }
}

function save({ name, text }) {
  const address = URL.createObjectURL(new Blob([text], { type: "application/octet-stream" }));
  h("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}

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
    off && tree.common(actions) < at ? h("button", { id: "remove-branch", title: "forget this position and what follows", onclick: removeBranch }, "Delete from here") : null,
    off ? h("button", { id: "mainline", onclick: () => line(played, Math.min(at, played.length)) }, "Back to the game") : null,
    position.over ? null : h("button", { id: "takeover-open", onclick: takeover }, "Let others go on from here"),
    h("button", { id: "link", onclick: copyLink }, "Link to this position"),
    h("button", { id: "download", title: "the game with its comments, arrows and branches", onclick: download }, "Download"),
    h("button", { id: "edit", title: "change its fields", onclick: edit }, "Edit"),
    h("button", { id: "download-position", title: "as JSON, for --from", onclick: downloadPosition }, "This position"),
  );
}

const playFrom = (moves, seat) => playOn(overBox, start, moves, seat).catch((error) => toast(error.message));
const takeover = () => playFrom(actions.slice(0, at), position.player);

// Links

function lineText() {
  const whole = JSON.stringify({ ...start, actions, agents: names, notes: branched() ? [] : tree.notes() });
  return btoa(String.fromCharCode(...new TextEncoder().encode(whole))).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

function fromText(text) {
  try {
    const bytes = Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    throw new Error("The link to this position is not whole: perhaps it was cut off when it was copied.");
  }
}

function address() {
  const fragment = new URLSearchParams(branched() || !Object.keys(link).length ? { line: lineText() } : link);
  fragment.set("move", String(at));
  if (looking.value !== "") fragment.set("seat", looking.value);
  history.replaceState(null, "", `#${fragment}`);
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
  const decision = await postWithStart("/api/think", start, { actions: actions.slice(0, move), agent: form.value() });
  if (move !== at) return null;
  showReasons(reasonsElement, decision, `${decision.agent}:`, rename);
  showCases(casesElement, decision);
  board.advise(decision.reasons, decision.action);
  return decision;
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
    const decision = await think();
    if (decision) tryMove(decision.action);
  } catch (error) {
    toast(error.message);
  }
}

async function curve(mine) {
  const found = (points) => {
    if (mine !== asked) return false;
    for (const [move, values] of points) chances.set(move, values);
    showCurve();
    return true;
  };
  await estimateCurve(start, actions, found).catch((error) => toast(error.message));
}

function showCurve() {
  const points = [...chances].sort(([one], [other]) => one - other);
  drawCurve(curveElement, points, actions.length, at, names, go);
}

document.addEventListener("keydown", (event) => {
  if (/INPUT|SELECT|TEXTAREA/.test(/** @type {Element} */ (event.target).tagName) || event.ctrlKey || event.altKey || event.metaKey) return;
  const where = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: actions.length }[event.key];
  if (where !== undefined) {
    event.preventDefault();
    go(where);
  }
});

async function begin() {
  await showSources();
  await follow();
}

// What the address names; it changes without a new page when somebody edits it or follows a link from this page.
async function follow() {
  const address = new URLSearchParams(location.hash.slice(1));
  const move = Number(address.get("move")) || 0;
  if (address.get("line")) await openGame(fromText(address.get("line")), {}, move);
  else if (address.get("position") && sessionStorage.getItem("position")) await list(await postWithSeed("/api/deal", { text: sessionStorage.getItem("position") }, address.get("position") || "0"), {});
  else if (address.get("table")) await openGame(await get(`/api/tables/${address.get("table")}/game`), { table: address.get("table") }, move);
  else if (address.get("file")) await openFile(address.get("file") ?? "", Number(address.get("game") || 1), move);
  if (address.get("seat") && start) {
    looking.value = address.get("seat");
    await show();
  }
}

addEventListener("hashchange", () => follow().catch((error) => toast(error.message)));

begin().catch((error) => toast(error.message));
