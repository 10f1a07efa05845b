// A table: the board, what can be done, what was done, what agents think of it.

import { bar } from "./page.js";
import { copyText, cut, dot, fill, h, refill, toast } from "./dom.js";
import { get, keepTokens, post, seatLink, tokensOf } from "./api.js";
import { AgentForm } from "./agentform.js";
import { Board } from "./board.js";
import { Chat } from "./chat.js";
import { Choices } from "./choices.js";
import { drawCurve, estimateCurve } from "./curve.js";
import { pointsOfAll, sheet } from "./ending.js";
import { Explainer } from "./explain.js";
import { patched } from "./patches.js";
import { playOn } from "./playon.js";
import { showCases, showReasons } from "./reasons.js";
import { Questions } from "./questions.js";
import { Review } from "./review.js";
import { SetChoice } from "./setchoice.js";
import { Room } from "./room.js";
import { TableSocket } from "./socket.js";
import { ring, soundButton } from "./sound.js";
import { Tips } from "./tips.js";
import { WaitingRoom } from "./waiting.js";

const id = location.pathname.split("/").pop() ?? "";
const token = location.hash.slice(1) || null;
const players = h("div", { className: "seats", id: "players" });
bar(players, soundButton());

const heading = h("h1", { className: "table-title" }, "Table");
const says = h("span", { className: "say", id: "say", role: "status", ariaLive: "polite" });
const lost = h("span", { className: "lost hidden", id: "lost" }, "Connection lost – trying again …");
const boardElement = h("div", { className: "board", id: "board" });
const textElement = h("pre", { id: "text" });
const choicesElement = h("div", { className: "choices", id: "choices" });
const logElement = h("div", { className: "log", id: "log", tabIndex: 0, role: "log", ariaLabel: "What happened" });
const reasonsElement = h("div", { id: "reasons" });
const casesElement = h("section", { className: "panel cases-beside", id: "cases" });
const curveElement = h("div", { id: "curve" });
const tools = h("div", { className: "row", id: "tools" });
const links = h("div", { id: "links" });
const adviser = h("div", { className: "row" });
const tipElement = h("div", { id: "tips" });
const endElement = h("section", { className: "panel ending hidden", id: "ending" });
const questionsElement = h("section", { className: "panel ending hidden", id: "questions" });
const reviewElement = h("section", { className: "panel ending hidden", id: "review-panel" });
const playOnElement = h("section", { className: "panel ending hidden", id: "takeover" });
const waitingElement = h("section", { className: "panel hidden", id: "waiting" });
const chatElement = h("section", { className: "panel hidden" });
const howTo = h("a", { className: "how-to", id: "how-to", target: "_blank" }, "How to play");
const more = h("button", { className: "more", id: "more", ariaExpanded: "false", onclick: () => openChooser(!chooser.classList.contains("open")) }, "All choices");
const chooserTitle = h("h2", {}, "Your choices");
const chooser = h("section", { className: "panel chooser" }, chooserTitle, more, choicesElement, tools, links);

document.body.append(
  h(
    "main",
    { className: "atable" },
    h("div", { className: "play" }, h("div", { className: "status" }, heading, says, lost, howTo), waitingElement, questionsElement, endElement, playOnElement, reviewElement, tipElement, boardElement, h("details", { className: "text-form small" }, h("summary", {}, "The position in words"), textElement), casesElement),
    h(
      "div",
      { className: "side" },
      chooser,
      h("section", { className: "panel" }, h("h2", {}, "What happened"), logElement),
      chatElement,
      h("section", { className: "panel" }, h("h2", {}, "What an agent thinks"), adviser, reasonsElement),
      h("section", { className: "panel" }, h("h2", {}, "Chances to win"), curveElement, h("p", { className: "small faint" }, "Estimated by playouts from what this seat knows; with everything open, from what each seat knows, in turn.")),
    ),
  ),
);

const board = new Board(boardElement, choose);
const choices = new Choices(choicesElement, choose);
const setChoice = new SetChoice(choicesElement, board, (places) => move({ type: "move_set", places }));
new Explainer(board);
const room = new Room(boardElement, () => table && socket.send({ type: "room", ...room.now, tips: Tips.wanted(table.game) }));
const tips = new Tips(tipElement, board, () => socket.send({ type: "room", ...room.now, tips: false }));
const chat = new Chat(chatElement, (text) => send({ type: "say", text }));
const questions = new Questions(questionsElement, (message) => send(message), async () => {
  const { games } = await get("/api/games");
  return (games.find((one) => one.name === table.game)?.characters || []).map((one) => one.name);
});
const waiting = new WaitingRoom(waitingElement, (message) => send(message));
/** @type {any} */
let table = null; // what the server has sent last: a TableShown of messages.d.ts
let picture = "";
let text = "";
let log = [];
let wasMyTurn = false;
let chances = new Map();
let form = null;
let hint = null;
let advisedAt = -1;
let movedAt = -1; // the version of the position in which one has moved: a second click there is none

const socket = new TableSocket(id, token, () => ({ ...room.now, toggled: undefined, tips: true }), {
  table: show,
  decision: (message) => {
    if (table && message.move === table.moves) {
      hint = message;
      showDecision();
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
    else if (socket.lost) lost.textContent = `${message.reason} – trying again …`; // the game's file has an error
    else toast(message.reason);
    showDecision();
  },
  seated: (message) => {
    if (message.token) keepTokens(message.table, { ...tokensOf(message.table), [message.seat]: message.token });
    if (message.table !== id) location.href = `/table/${message.table}${message.token ? `#${message.token}` : ""}`;
    else {
      history.replaceState(null, "", `#${message.token}`);
      socket.token = message.token;
    }
  },
  chat: (message) => {
    chatElement.classList.remove("hidden");
    chat.add(message.lines);
  },
  connected: (on) => {
    lost.classList.toggle("hidden", on);
    if (!on) movedAt = -1; // the move may not have arrived
  },
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
  if (message.picture_patch) message.picture = patched(picture, message.picture_patch);
  if (message.text_patch) message.text = patched(text, message.text_patch);
  picture = message.picture;
  text = message.text;
  log = [...log.slice(0, message.log_from), ...message.log];
  const anew = message.version !== table?.version || message.status !== table.status;
  table = message;
  heading.textContent = table.title;
  board.rename = rename;
  document.title = `${turnMark()}${table.title} · Boardwright`;
  board.show(table.picture, table.text, table.choices);
  const set = table.choices.length ? table.set : null;
  if (set) choices.hide();
  else choices.show(table.choices.map((choice) => ({ ...choice, text: rename(choice.text) })));
  setChoice.show(set, table.asked_since);
  if (anew) openChooser(false);
  howTo.href = `/rules/${table.game}`;
  if (table.choices.length && !wasMyTurn) ring();
  wasMyTurn = table.choices.length > 0;
  textElement.textContent = rename(table.text);
  boardElement.dataset.version = table.version;
  fill(players, table.seats.map(player));
  says.textContent = say();
  says.classList.toggle("spin", table.thinking !== null && table.status === "running");
  showTools();
  waiting.show(table);
  chatElement.classList.toggle("hidden", table.seats.filter((seat) => seat.person).length < 2 && !chat.lines.length);
  tips.show(table.game, table.seat >= 0 ? table.tips : [], table.asked_since);
  questions.show(table).catch((error) => toast(error.message));
  showEnd();
  showLog();
  showDecision();
  showCurve();
  showLinks();
  showMore();
  adviserForm();
  followAdviser();
}

// Games call seats by number; here everybody has a name.
function rename(text, longest = 40) {
  return text.replace(/\bseat (\d+)\b/gi, (whole, number) => (table.seats[number - 1] ? cut(table.seats[number - 1].name, longest) : whole));
}

const turnMark = () => (table.choices.length ? "● " : "");

function say() {
  if (table.status !== "running") return `${table.note}.${table.sheet?.has_points ? ` ${pointsOfAll(table.seats.map((seat) => seat.name), table.scores)}.` : ""}`;
  if (table.paused) return "Paused.";
  if (table.waiting_for.length) return "Waiting for players.";
  if (table.choices.length) return `Your turn.${table.set ? ` ${table.set.question}` : ""}${pauseWanted()}`;
  if (table.compiling !== null) return `Compiling ${table.seats[table.thinking].name}, ${Math.round(100 * table.compiling)} % … (once; later it is there at once)`;
  if (table.thinking !== null) return `${table.seats[table.thinking].name} is thinking …${pauseWanted()}`;
  if (table.choosing.length > 1 || (table.choosing.length === 1 && table.choosing[0] !== table.player)) return `Waiting for ${table.choosing.map((seat) => table.seats[seat].name).join(", ")}.${pauseWanted()}`;
  return table.player === null ? "" : `${table.seats[table.player].name} to move.${pauseWanted()}`;
}

function pauseWanted() {
  const others = table.wants_pause.filter((seat) => seat >= 0 && seat !== table.you).map((seat) => table.seats[seat].name);
  const back = table.back_of === null || !table.wants_back.length ? "" : table.back_of === table.seat ? " The others are asked whether you may take your move back." : ` ${table.seats[table.back_of].name} would like to take a move back.`;
  return `${others.length ? ` ${others.join(" and ")} would like a pause.` : ""}${back}`;
}

function player(seat, number) {
  const classes = ["player", (table.choosing.length ? table.choosing.includes(number) : table.player === number) ? "turn" : "", table.you === number ? "you" : ""];
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
  for (const number of table.choosing) {
    const seat = table.seats[number];
    const shown = players.querySelector(`[data-seat="${number}"]`);
    if (!shown || seat.clock === null) continue;
    seat.clock -= 0.25;
    shown.textContent = time(seat.clock);
  }
}, 250);

function openChooser(open) {
  chooser.classList.toggle("open", open);
  more.setAttribute("aria-expanded", open);
  showMore();
}

// On a small screen much lies behind one button: the list of choices, the links for others, and, while one is asked,
// what is seldom wanted then.
function showMore() {
  const asked = table.choices.length > 0;
  chooser.classList.toggle("asked", asked && !table.wants_pause.length);
  chooser.classList.toggle("hidden", !asked && !tools.hasChildNodes() && !links.hasChildNodes());
  chooserTitle.textContent = asked || (table.seat >= 0 && table.status === "running") ? "Your choices" : "This table";
  more.classList.toggle("hidden", !asked && !links.hasChildNodes());
  if (chooser.classList.contains("open")) more.textContent = "Close";
  else if (!asked) more.textContent = "Links for the others";
  else more.textContent = table.set ? "As a list" : `All choices (${table.choices.length})`;
}

// Who won and why, once; the tools beside it go on with the next game.
function showEnd() {
  const over = table.status !== "running";
  endElement.classList.toggle("hidden", !over);
  if (!over) return;
  Tips.stop(table.game);
  wholeCurve();
  const now = JSON.stringify([table.note, table.wants_rematch, table.next_game, table.view, chances.size, table.blind, whole?.teaches]);
  if (endElement.dataset.now === now) return;
  endElement.dataset.now = now;
  const mine = table.wants_rematch.includes(table.seat);
  const others = table.wants_rematch.filter((seat) => seat !== table.seat && seat >= 0).map((seat) => table.seats[seat].name);
  refill(
    endElement,
    table.scores ? sheet(table, chances, playOnFrom) : [h("h2", {}, "The result"), h("p", { id: "why" }, `${table.note}.`)],
    h(
      "div",
      { className: "row" },
      table.next_game || table.seat >= 0 || !table.seats.some((seat) => seat.person) ? h("button", { className: "main", id: "rematch", disabled: mine && !table.next_game, onclick: () => send({ type: "rematch" }) }, table.next_game ? "To the next game" : mine ? "Waiting for the others …" : "Rematch") : null,
      table.moves ? h("button", { id: "review-open", onclick: () => reviewGame() }, "Review this game") : null,
      h("a", { className: "button", href: `/study#table=${id}` }, "Study"),
      h("a", { className: "button", href: `/?game=${table.game}&like=${id}` }, "New table like this"),
      h("a", { className: "button", href: `/api/tables/${id}/record`, download: "" }, "Record file"),
      whole?.teaches ? teaching() : null,
      others.length && !table.next_game ? h("span", {}, `${others.join(" and ")} would like a rematch.`) : null,
    ),
  );
}

// How the game began and what was played: told once it is over.
let whole = null;
let curved = false;

async function wholeGame() {
  whole ??= await get(`/api/tables/${id}/game`);
  const { game, seats, seed, options, position, actions, forfeited_by } = whole;
  const names = table.seats.map((seat) => seat.name); // at a blind table they are told later
  return { start: { game, seats, seed, options, position }, actions, names, forfeited: forfeited_by !== null };
}

// The decisions of the winner, or of another seat, go into the case base that the server was started with.
function teaching() {
  const who = h("select", { id: "teacher", ariaLabel: "Whose decisions" }, h("option", { value: "" }, "the winner's decisions"), table.seats.map((seat, number) => h("option", { value: number }, `${seat.name}'s`)));
  const teach = async () => {
    const { done } = await post(`/api/tables/${id}/teach`, { seat: who.value === "" ? null : Number(who.value) });
    toast(`Learned: ${done}.`);
  };
  return h("span", { className: "teach" }, h("button", { id: "teach", onclick: () => teach().catch((error) => toast(error.message)) }, `Teach ${whole.teaches}`), who);
}

// Where nobody watched there is no curve yet.
async function wholeCurve() {
  if (curved) return;
  curved = true;
  try {
    const { start, actions } = await wholeGame();
    showEnd();
    chances = new Map();
    await estimateCurve(start, actions, (points) => {
      for (const [move, values] of points) chances.set(move, values);
      showCurve();
      showEnd();
      return true;
    });
  } catch (error) {
    toast(error.message);
  }
}

async function reviewGame() {
  try {
    const game = await wholeGame();
    reviewElement.classList.remove("hidden");
    const review = new Review(reviewElement, () => game, (move) => (location.href = `/study#table=${id}&move=${move}`), playOnFrom);
    reviewElement.scrollIntoView({ block: "nearest" });
    await review.begin();
  } catch (error) {
    toast(error.message);
  }
}

async function playOnFrom(move, seat) {
  try {
    const { start, actions } = await wholeGame();
    playOnElement.classList.remove("hidden");
    await playOn(playOnElement, start, actions.slice(0, move), Math.max(0, seat));
  } catch (error) {
    toast(error.message);
  }
}

function showTools() {
  const playing = table.status === "running";
  const seated = table.seat >= 0;
  const people = table.seats.filter((seat) => seat.person).length;
  const watching = people === 0;
  const parts = [];
  if (playing && seated) {
    parts.push(
      h("button", { id: "hint", disabled: !table.choices.length, onclick: ask, title: "key h" }, "Hint"),
      h("button", { id: "back", disabled: !table.can_take_back, onclick: takeBack, title: people > 1 ? "key u; the others must agree, unless nobody has seen it" : "key u" }, backText()),
      h("button", { id: "pause", onclick: pause, title: people > 1 ? "the game pauses when everybody wants it" : "" }, table.paused || table.wants_pause.includes(table.you) ? "Go on" : "Pause"),
      h("button", { id: "resign", onclick: resign }, "Resign"),
      table.seats.map((seat, number) => (seat.person && !seat.here && !seat.open && number !== table.you && !table.waiting_for.length ? h("button", { id: `fill-${number}`, title: "once they have been away for a minute", onclick: () => send({ type: "fill", seat: number, agent: "easy" }) }, `An agent for ${seat.name}`) : null)),
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
  if (table.open && playing) parts.push(h("a", { className: "button", href: `/study#table=${id}` }, "Study this game"));
  const now = JSON.stringify([playing, seated, watching, table.open, table.view, table.paused, table.wants_pause, table.can_take_back, table.choices.length > 0, table.pace, table.status, backText(), table.seats.map((seat) => seat.here)]);
  if (tools.dataset.now !== now) {
    tools.dataset.now = now;
    refill(tools, parts);
  }
}

function backText() {
  if (table.back_of === null) return "Take back";
  return table.wants_back.includes(table.you) ? "Waiting …" : "Let them take back";
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

// By turn: what one seat did without a break, and what came to light with it. A click shows the position before a move,
// where nothing is hidden any more.
function showLog() {
  const since = table.seat >= 0 && table.status === "running" ? table.since : log.length;
  const turns = [];
  for (const entry of log.slice(-300)) {
    const last = turns.at(-1);
    if (last && last[0].seat === entry.seat) last.push(entry);
    else turns.push([entry]);
  }
  fill(
    logElement,
    turns.map((turn) =>
      h(
        "div",
        { className: "turn" },
        h("div", { className: "who" }, dot(turn[0].seat), table.seats[turn[0].seat].name),
        turn.map((entry) => [
          h("div", { className: ["entry", entry.move >= since && entry.seat !== table.you ? "since" : ""].filter(Boolean).join(" ") }, table.open ? h("a", { href: `/study#table=${id}&move=${entry.move + 1}` }, rename(entry.text)) : rename(entry.text)),
          entry.revealed.map((text) => h("div", { className: "revealed" }, `→ ${rename(text)}`)),
        ]),
      ),
    ),
  );
  logElement.scrollTop = logElement.scrollHeight;
}

function showDecision() {
  if (!table) return;
  const decision = hint && hint.move === table.moves ? hint : table.decision;
  showCases(casesElement, decision);
  if (hint && hint.move === table.moves) {
    showReasons(reasonsElement, hint, `${hint.agent}:`, rename);
    if (hint.places.length) board.adviseSet(hint.places);
    else board.advise(hint.reasons, hint.action);
  } else if (table.decision) {
    showReasons(reasonsElement, table.decision, `Move ${table.decision.move + 1}: ${table.seats[table.decision.seat].name} chose`, rename);
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
  showMore();
}

async function adviserForm() {
  if (table.status !== "running") {
    form = null;
    fill(adviser);
    return;
  }
  if (form || (table.seat < 0 && !table.open)) return;
  form = true;
  try {
    const catalogue = await get("/api/games");
    if (table.status !== "running") return;
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

addEventListener("hashchange", () => location.reload()); // the link of another seat, opened in this tab

document.addEventListener("keydown", (event) => {
  if (!table || event.ctrlKey || event.metaKey || event.altKey || /INPUT|SELECT|TEXTAREA/.test(/** @type {Element} */ (event.target).tagName)) return;
  if (event.key === "h" && table.choices.length) ask();
  if (event.key === "u") takeBack();
});
