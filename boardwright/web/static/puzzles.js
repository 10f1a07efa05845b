// Puzzles: positions with one clearly best option, asked again as spaced repetition says.

import { bar } from "./page.js";
import { fill, h, toast } from "./dom.js";
import { get, post } from "./api.js";
import { Board } from "./board.js";
import { Choices } from "./choices.js";
import { Explainer } from "./explain.js";
import { Room } from "./room.js";
import { showReasons } from "./reasons.js";

bar();
const heading = h("h1", { className: "table-title" }, "Puzzles");
const says = h("span", { className: "say", id: "say", role: "status", ariaLive: "polite" });
const boardElement = h("div", { className: "board", id: "board" });
const choicesElement = h("div", { className: "choices", id: "choices" });
const gamesElement = h("div", { id: "games" });
const resultElement = h("div", { id: "result" });
const reasonsElement = h("div", { id: "reasons" });
const hint = h("button", { id: "hint", onclick: () => tell(ask) }, "Hint");
const later = h("button", { id: "later", onclick: () => tell(() => next([...skipped, puzzle.id])) }, "Another one");

document.body.append(
  h(
    "main",
    { className: "atable" },
    h("div", {}, h("div", { className: "status" }, heading, says), boardElement),
    h(
      "div",
      { className: "side" },
      h("section", { className: "panel" }, h("h2", {}, "Sets"), gamesElement),
      h("section", { className: "panel" }, h("h2", {}, "Which option is clearly the best?"), choicesElement, h("div", { className: "row" }, hint, later), reasonsElement, resultElement),
    ),
  ),
);

const board = new Board(boardElement, answer);
const choices = new Choices(choicesElement, answer);
new Explainer(board);
const room = new Room(boardElement, () => puzzle && tell(() => show(puzzle.id)));

/** @type {any} */
let puzzle = null;
let game = new URLSearchParams(location.hash.slice(1)).get("game") || "";
let hinted = false;
let answered = false;
/** @type {[any, any] | null} */
let marked = null; // the answer that was given and the right one, once it is known
let skipped = [];

const tell = (act) => act().catch((error) => toast(error.message));

async function sets() {
  const { games, keeps } = await get("/api/puzzles");
  if (!games.some((one) => one.game === game)) game = games[0].game;
  const row = (one) =>
    h(
      "div",
      { className: "row" },
      h("button", { id: `set-${one.game}`, className: one.game === game ? "on" : "", onclick: () => choose(one.game) }, one.title),
      h("span", { className: "small faint" }, `${one.due} due, ${one.new} new, ${one.solved} of ${one.puzzles} solved`),
    );
  const forget = async () => {
    if (!confirm("Delete your progress with all puzzles?")) return;
    await post("/api/puzzles/forget", {});
    await sets();
  };
  fill(
    gamesElement,
    games.map(row),
    keeps ? h("button", { id: "forget", className: "link small", onclick: () => tell(forget) }, "Forget my progress") : h("p", { className: "small faint" }, "Progress is kept for whoever runs this server, on their own machine."),
  );
}

function choose(name) {
  game = name;
  skipped = [];
  history.replaceState(null, "", `#game=${name}`);
  tell(async () => {
    await sets();
    await next();
  });
}

async function next(skip = []) {
  skipped = skip;
  await show("");
}

async function show(id) {
  const wanted = game;
  const found = await post("/api/puzzles/next", { game, id, skip: skipped, ...room.now });
  if (wanted !== game) return; // another set was chosen meanwhile
  if (id && answered) {
    board.show(found.puzzle.picture, found.puzzle.text, []); // drawn anew for another width
    if (marked) board.markAnswer(...marked);
    return;
  }
  puzzle = found.puzzle;
  hinted = answered = false;
  marked = null;
  fill(resultElement);
  showReasons(reasonsElement, null);
  hint.disabled = later.disabled = !puzzle;
  if (!puzzle) {
    board.show("", found.next_due ? `Nothing is due. The next puzzle comes again ${when(found.next_due)}.` : "That was the last one.", []);
    choices.show([]);
    says.textContent = "Nothing is due.";
    return;
  }
  heading.textContent = puzzle.title;
  document.title = `${puzzle.title} · Puzzles · Boardwright`;
  says.textContent = `You are seat ${puzzle.seat + 1} of ${puzzle.seats}, after ${puzzle.moves} moves.`;
  board.show(puzzle.picture, puzzle.text, puzzle.choices);
  choices.show(puzzle.choices);
}

async function ask() {
  hinted = true;
  fill(reasonsElement, h("p", { className: "spin" }, "thinking …"));
  const asked = puzzle.id;
  const decision = await post("/api/puzzles/hint", { game, id: puzzle.id });
  if (asked !== puzzle.id) return;
  showReasons(reasonsElement, decision, `${decision.agent}:`);
  board.advise(decision.reasons, decision.action);
}

function answer(action) {
  if (!puzzle || answered || !puzzle.choices.some((choice) => choice.action === action)) return;
  answered = true;
  tell(async () => {
    const found = await post("/api/puzzles/answer", { game, id: puzzle.id, action, hinted }).catch((error) => {
      answered = false; // it can be given again
      throw error;
    });
    showResult(found, action);
    await sets();
  });
}

function showResult(found, action) {
  hint.disabled = later.disabled = true;
  board.show(puzzle.picture, puzzle.text, []);
  choices.show([]);
  const chosen = found.values.find((one) => one.action === action);
  marked = [chosen, found.answer];
  board.markAnswer(...marked);
  says.textContent = found.right ? "Right." : "Not the best.";
  const percent = (value) => (value === null ? "–" : `${Math.round(100 * value)} %`);
  const whyElement = h("div", { id: "why" });
  const why = async () => {
    fill(whyElement, h("p", { className: "spin" }, "one moment …"));
    const { sentences } = await post("/api/puzzles/why", { game, id: puzzle.id, action });
    fill(whyElement, h("ul", { className: "small" }, sentences.map((text) => h("li", {}, text))));
  };
  fill(
    resultElement,
    h("p", { className: found.right ? "right" : "warn", id: "verdict", role: "status" }, found.right ? `Right: ${found.answer.text}.` : `Not ${chosen.text}: ${found.answer.text}.`),
    h("table", { className: "plain small" }, h("tbody", {}, found.values.filter((one) => one.value !== null || one.action === action).map((one) => h("tr", { className: one.action === found.answer.action ? "won" : "" }, h("td", { className: "left" }, one.text), h("td", {}, percent(one.value)))))),
    h("p", { className: "small faint" }, `What an option is worth, by ${found.judged_by.join(" and ")}.${found.again ? ` The puzzle comes again ${when(found.again)}.` : ""}`),
    h("div", { className: "row" }, h("button", { className: "main", id: "next", onclick: () => tell(() => next([...skipped, puzzle.id])) }, "Next"), h("button", { id: "ask-why", onclick: () => tell(why) }, "Why?")),
    whyElement,
  );
}

function when(text) {
  const minutes = Math.max(1, Math.round((new Date(text).getTime() - Date.now()) / 60000));
  if (minutes < 60) return minutes === 1 ? "in a minute" : `in ${minutes} minutes`;
  const hours = Math.round(minutes / 60);
  if (hours < 48) return hours === 1 ? "in an hour" : `in ${hours} hours`;
  return `in ${Math.round(minutes / 1440)} days`;
}

tell(async () => {
  await sets();
  await next();
});
