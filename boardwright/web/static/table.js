// A table: the board, what can be done, what was done, what agents think of it.

import { bar } from "./page.js";
import { copyText, dot, fill, h, refill, toast } from "./dom.js";
import { get, seatLink, tokensOf } from "./api.js";
import { AgentForm } from "./agentform.js";
import { Board } from "./board.js";
import { Choices } from "./choices.js";
import { drawCurve } from "./curve.js";
import { showCases, showReasons } from "./reasons.js";
import { SetChoice } from "./setchoice.js";
import { TableSocket } from "./socket.js";

const id = location.pathname.split("/").pop();
const token = location.hash.slice(1) || null;
const sitters = h("div", { className: "seats", id: "sitters" });
bar(sitters);

const heading = h("h1", { className: "table-title" }, "Table");
const says = h("span", { className: "say", id: "say", role: "status", ariaLive: "polite" });
const lost = h("span", { className: "lost hidden", id: "lost" }, "Connection lost – trying again …");
const boardElement = h("div", { className: "board", id: "board" });
const wordsElement = h("pre", { id: "words" });
const choicesElement = h("div", { className: "choices", id: "choices" });
const logElement = h("div", { className: "log", id: "log", tabIndex: 0, role: "log", ariaLabel: "What happened" });
const reasonsElement = h("div", { id: "reasons" });
const casesElement = h("section", { className: "panel cases-beside", id: "cases" });
const curveElement = h("div", { id: "curve" });
const tools = h("div", { className: "row", id: "tools" });
const links = h("div", { id: "links" });
const adviser = h("div", { className: "row" });

document.body.append(
  h(
    "main",
    { className: "atable" },
    h("div", {}, h("div", { className: "status" }, heading, says, lost), boardElement, h("details", { className: "words small" }, h("summary", {}, "The position in words"), wordsElement), casesElement),
    h(
      "div",
      { className: "side" },
      h("section", { className: "panel" }, h("h2", {}, "Your choices"), choicesElement, tools, links),
      h("section", { className: "panel" }, h("h2", {}, "What happened"), logElement),
      h("section", { className: "panel" }, h("h2", {}, "What an agent thinks"), adviser, reasonsElement),
      h("section", { className: "panel" }, h("h2", {}, "Chances to win"), curveElement, h("p", { className: "small faint" }, "Estimated by playouts from what this seat knows; with everything open, from what each seat knows, in turn.")),
    ),
  ),
);

const board = new Board(boardElement, choose);
const choices = new Choices(choicesElement, choose);
const setChoice = new SetChoice(choicesElement, board, (places) => move({ type: "move_set", places }));
let table = null;
let log = [];
let chances = new Map();
let form = null;
let hint = null;
let advisedAt = -1;
let movedAt = -1; // the version of the position in which one has moved: a second click there is none

const socket = new TableSocket(id, token, {
  table: show,
  thought: (message) => {
    if (table && message.move === table.moves) {
      hint = message;
      showThought();
      reasonsElement.scrollIntoView({ block: "nearest" });
    }
  },
  chances: (message) => {
    for (const [move, values] of message.points) chances.set(move, values);
    showCurve();
  },
  compiling: (message) => fill(reasonsElement, h("p", { className: "spin" }, `compiling, ${Math.round(100 * message.share)} % …`)),
  refused: (message) => {
    movedAt = -1;
    if (message.final) nothingHere(message.reason);
    else toast(message.reason);
    showThought();
  },
  connected: (on) => lost.classList.toggle("hidden", on),
});

function choose(action) {
  if (table?.choices.some((choice) => choice.action === action)) move({ type: "move", action });
}

function move(message) {
  if (!table || movedAt === table.version) return;
  board.remember();
  if (send({ ...message, version: table.version })) movedAt = table.version;
}

function send(message) {
  const sent = socket.send(message);
  if (!sent) toast("The connection is lost: nothing was sent. Try again when it is back.");
  return sent;
}

// A wrong table, or a link that belongs to no seat.
function nothingHere(reason) {
  document.title = "No such table · Boardwright";
  fill(
    document.querySelector("main"),
    h(
      "section",
      { className: "panel", id: "nothing" },
      h("h1", {}, "There is nothing here for you"),
      h("p", {}, `The server says: ${reason}.`),
      h("p", {}, "Perhaps the link was cut off when it was copied. Ask whoever sent it for the whole link."),
      h("div", { className: "row" }, token && /link/.test(reason) ? h("a", { className: "button", href: location.pathname }, "Watch this table") : null, h("a", { className: "button", href: "/" }, "To the lobby")),
    ),
  );
}

function show(message) {
  if (table && (message.moves < table.moves || message.view !== table.view)) {
    chances = new Map([...chances].filter(([move]) => message.view === table.view && move <= message.moves));
  }
  if (!table || message.version !== table.version) hint = null;
  log = [...log.slice(0, message.log_from), ...message.log];
  table = message;
  heading.textContent = table.title;
  board.rename = rename;
  document.title = `${turnMark()}${table.title} · Boardwright`;
  board.show(table.picture, table.text, table.choices);
  const set = table.choices.length ? table.set : null;
  if (set) choices.hide();
  else choices.show(table.choices.map((choice) => ({ ...choice, text: rename(choice.text) })));
  setChoice.show(set, table.version);
  wordsElement.textContent = rename(table.text);
  boardElement.dataset.version = table.version;
  fill(sitters, table.seats.map(sitter));
  says.textContent = say();
  says.classList.toggle("spin", table.thinking !== null && table.status === "running");
  showTools();
  showLog();
  showThought();
  showCurve();
  showLinks();
  adviserForm();
  followAdviser();
}

// Games call seats by number; here everybody has a name.
function rename(text) {
  return text.replace(/\bseat (\d+)\b/gi, (whole, number) => table.seats[number - 1]?.name ?? whole);
}

const turnMark = () => (table.choices.length ? "● " : "");

function say() {
  if (table.status !== "running") return `${table.note}.${table.scores ? ` ${scores()}` : ""}`;
  if (table.paused) return "Paused.";
  if (table.choices.length) return `Your turn.${table.set ? ` ${table.set.question}` : ""}${pauseWanted()}`;
  if (table.compiling !== null) return `Compiling ${table.seats[table.thinking].name}, ${Math.round(100 * table.compiling)} % … (once; later it is there at once)`;
  if (table.thinking !== null) return `${table.seats[table.thinking].name} is thinking …${pauseWanted()}`;
  return table.player === null ? "" : `${table.seats[table.player].name} to move.`;
}

function pauseWanted() {
  const others = table.wants_pause.filter((seat) => seat >= 0 && seat !== table.you).map((seat) => table.seats[seat].name);
  return others.length ? ` ${others.join(" and ")} would like a pause.` : "";
}

function scores() {
  return table.seats.map((seat, number) => `${seat.name} ${table.scores[number]}`).join(", ");
}

function sitter(seat, number) {
  const classes = ["sitter", table.player === number ? "turn" : "", table.you === number ? "you" : ""];
  const where = seat.person ? (seat.here ? "here" : "not here") : seat.agent;
  return h(
    "span",
    { className: classes.filter(Boolean).join(" "), title: where },
    dot(number),
    table.you === number ? `${seat.name} (you)` : seat.name,
    seat.person && !seat.here ? h("span", { className: "faint small" }, " away") : null,
    seat.clock === null ? null : h("span", { className: "clock", "data-seat": number }, time(seat.clock)),
  );
}

function time(seconds) {
  const left = Math.max(0, seconds);
  return `${Math.floor(left / 60)}:${String(Math.floor(left % 60)).padStart(2, "0")}`;
}

setInterval(() => {
  if (!table?.ticking) return;
  const seat = table.seats[table.player];
  seat.clock -= 0.25;
  const shown = sitters.querySelector(`[data-seat="${table.player}"]`);
  if (shown) shown.textContent = time(seat.clock);
}, 250);

function showTools() {
  const playing = table.status === "running";
  const seated = table.seat >= 0;
  const people = table.seats.filter((seat) => seat.person).length;
  const watching = people === 0;
  const parts = [];
  if (playing && seated) {
    parts.push(
      h("button", { id: "hint", disabled: !table.choices.length, onclick: ask, title: "key h" }, "Hint"),
      h("button", { id: "back", disabled: !table.can_take_back, onclick: takeBack, title: "key u" }, "Take back"),
      h("button", { id: "pause", onclick: pause, title: people > 1 ? "the game pauses when everybody wants it" : "" }, table.paused || table.wants_pause.includes(table.you) ? "Go on" : "Pause"),
      h("button", { id: "resign", onclick: resign }, "Resign"),
    );
  }
  if (playing && watching) {
    const pace = h("input", { type: "range", min: 0, max: 3, step: 0.1, value: table.pace, ariaLabel: "seconds per move" });
    pace.onchange = () => send({ type: "pace", seconds: Number(pace.value) });
    parts.push(
      h("button", { id: "pause", onclick: pause }, table.paused ? "Go on" : "Pause"),
      h("label", { className: "small" }, `${table.pace.toFixed(1)} s per move`, pace),
    );
  }
  if (table.open) parts.push(look());
  if (table.open) parts.push(h("a", { className: "button", href: `/study#table=${id}` }, "Study this game"));
  if (!playing) parts.push(h("a", { className: "button", href: `/api/tables/${id}/record`, download: "" }, "Record file"));
  if (!playing) parts.push(h("a", { className: "button", href: `/?game=${table.game}` }, "New table"));
  const now = JSON.stringify([playing, seated, watching, table.open, table.view, table.paused, table.wants_pause, table.can_take_back, table.choices.length > 0, table.pace, table.status]);
  if (tools.dataset.now !== now) {
    tools.dataset.now = now;
    refill(tools, parts);
  }
}

function pause() {
  send({ type: "pause", paused: !(table.paused || table.wants_pause.includes(table.you)) });
}

function look() {
  const select = h(
    "select",
    { ariaLabel: "Look as" },
    h("option", { value: "" }, "everything open"),
    table.seats.map((seat, number) => h("option", { value: number }, `as ${seat.name}`)),
  );
  select.value = table.view ?? "";
  select.onchange = () => send({ type: "look", seat: select.value === "" ? null : Number(select.value) });
  return select;
}

function showLog() {
  const since = table.seat >= 0 && table.status === "running" ? table.since : log.length;
  fill(
    logElement,
    log.slice(-300).map((line) =>
      h(
        "div",
        { className: line.move >= since && line.seat !== table.you ? "since" : "" },
        h("span", { className: "who" }, dot(line.seat), ` ${table.seats[line.seat].name}: `),
        rename(line.text),
        line.revealed.map((text) => h("div", { className: "revealed" }, `→ ${rename(text)}`)),
      ),
    ),
  );
  logElement.scrollTop = logElement.scrollHeight;
}

function showThought() {
  if (!table) return;
  const thought = hint && hint.move === table.moves ? hint : table.thought;
  showCases(casesElement, thought);
  if (hint && hint.move === table.moves) {
    showReasons(reasonsElement, hint, `${hint.agent}:`, rename);
    if (hint.places.length) board.adviseSet(hint.places);
    else board.advise(hint.options, hint.action);
  } else if (table.thought) {
    showReasons(reasonsElement, table.thought, `Move ${table.thought.move + 1}: ${table.seats[table.thought.seat].name} chose`, rename);
    board.advise(null);
  } else {
    showReasons(reasonsElement, null);
    board.advise(null);
  }
}

function showCurve() {
  if (!table) return;
  const points = [...chances].sort(([one], [other]) => one - other);
  drawCurve(curveElement, points, table.moves, null, table.seats.map((seat) => seat.name), null);
}

async function showLinks() {
  const tokens = tokensOf(id);
  const others = Object.entries(tokens).filter(([, secret]) => secret !== token);
  if (!others.length || links.dataset.shown || table.status !== "running") return;
  links.dataset.shown = "yes";
  const { address } = await get("/api/server");
  const row = ([seat, secret]) => {
    const { name } = table.seats[seat];
    const link = h("input", { type: "text", readOnly: true, value: seatLink(id, secret, address), onfocus: (event) => event.target.select(), ariaLabel: `link for ${name}` });
    return h("div", { className: "row" }, h("span", {}, name), link, h("button", { className: "copy", ariaLabel: `copy the link for ${name}`, onclick: () => copyText(link) }, "Copy"));
  };
  fill(
    links,
    h("h2", {}, "Links for the others"),
    others.map(row),
    address || location.hostname !== "127.0.0.1" ? null : h("p", { className: "small faint" }, "This server answers on this machine only. To let others in, start it with --host 0.0.0.0."),
    h("p", { className: "small faint" }, "Whoever opens such a link plays that seat. Without a link one watches."),
  );
}

async function adviserForm() {
  if (form || (table.seat < 0 && !table.open)) return;
  form = true;
  try {
    const catalogue = await get("/api/games");
    const game = catalogue.games.find((one) => one.name === table.game);
    form = new AgentForm(game, table.seats.length, catalogue.levels, { value: "level:the strongest", label: "agent to ask" });
    fill(adviser, form.select, h("button", { id: "ask", onclick: ask }, "Ask"), h("div", { className: "small" }, form.more));
  } catch (error) {
    form = null;
    toast(error.message);
  }
}

function ask() {
  if (!(form instanceof AgentForm) || table.status !== "running") return;
  try {
    if (send({ type: "think", agent: form.value() })) fill(reasonsElement, h("p", { className: "spin" }, "thinking …"));
  } catch (error) {
    toast(error.message);
  }
}

// A companion tells without being asked.
function followAdviser() {
  const companion = table.seats.find((seat) => seat.advises);
  if (companion && table.choices.length > 1 && advisedAt !== table.version) {
    advisedAt = table.version;
    socket.send({ type: "think", agent: companion.agent });
  }
}

function takeBack() {
  if (table.can_take_back) send({ type: "take_back" });
}

function resign() {
  if (confirm("Resign this game?")) send({ type: "resign" });
}

document.addEventListener("keydown", (event) => {
  if (!table || event.ctrlKey || event.metaKey || event.altKey || /INPUT|SELECT|TEXTAREA/.test(event.target.tagName)) return;
  if (event.key === "h" && table.choices.length) ask();
  if (event.key === "u") takeBack();
});
