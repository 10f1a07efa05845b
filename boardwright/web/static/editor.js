// A position of one's own, field by field. What is wrong is said beside its field; what a seat cannot know can be drawn
// anew.

import { bar } from "./page.js";
import { byId, fill, h, toast } from "./dom.js";
import { get, postWithSeed } from "./api.js";
import { Board } from "./board.js";
import { Explainer } from "./explain.js";
import { Room } from "./room.js";

bar();
const says = h("span", { className: "say", id: "say", role: "status", ariaLive: "polite" }, "Change the fields, then look.");
const boardElement = h("div", { className: "board", id: "board" });
const form = h("div", { className: "form small", id: "fields" });
const games = h("select", { id: "game", ariaLabel: "game", onchange: () => tell(() => load("")) });
const seats = h("select", { id: "seats", ariaLabel: "seats", onchange: () => tell(() => load("")) });
const seed = h("input", { type: "text", id: "seed", inputMode: "numeric", value: "1", ariaLabel: "seed" });
const hidden = h("select", { id: "hidden", ariaLabel: "what is hidden" });
const wrong = h("p", { className: "warn", id: "wrong", role: "alert" });

document.body.append(
  h(
    "main",
    { className: "atable" },
    h("div", {}, h("div", { className: "status" }, h("h1", { className: "table-title" }, "A position of your own"), says), wrong, boardElement),
    h(
      "div",
      { className: "side" },
      h(
        "section",
        { className: "panel" },
        h("div", { className: "row" }, games, seats, h("label", { htmlFor: "seed" }, "seed"), seed, h("button", { id: "deal", onclick: () => tell(() => load("")) }, "Deal anew")),
        h("div", { className: "row" }, hidden),
        h("div", { className: "row" }, h("button", { className: "main", id: "look", onclick: () => tell(() => look()) }, "Look"), h("button", { id: "study", onclick: () => tell(study) }, "Study it")),
      ),
      h("section", { className: "panel" }, h("h2", {}, "Fields"), h("p", { className: "small faint" }, "As the rules keep them, with cards by name; sets are lists of their members. Race for the Galaxy and Connect Four have words of their own, which study reads."), form),
    ),
  ),
);

const board = new Board(boardElement, () => {});
new Explainer(board);
const room = new Room(boardElement, () => shown && tell(() => look()));
let catalogue = [];
let inputs = new Map();
let shown = false;
let looks = 0; // how often the fields were looked at

const tell = (act) => act().catch((error) => toast(error.message));

// `position`: one to begin with, as text; empty: a fresh deal.
async function load(position) {
  const game = catalogue.find((one) => one.name === games.value);
  const count = game.seats.includes(Number(seats.value)) ? Number(seats.value) : game.seats[0];
  const found = await postWithSeed("/api/fields", { game: game.name, seats: count, position }, seedText());
  if (games.value !== game.name) return; // another was chosen meanwhile
  fill(seats, game.seats.map((n) => h("option", { value: n }, `${n} seats`)));
  seats.value = found.seats;
  fill(hidden, h("option", { value: "" }, "everything as it is written"), Array.from({ length: found.seats }, (_, seat) => h("option", { value: seat }, `what ${game.seat_names[seat]} cannot know is drawn anew`)));
  inputs = new Map(found.fields.map((field) => [field.name, input(field)]));
  fill(form, found.fields.map((field) => [h("label", { htmlFor: `field-${field.name}` }, field.name), inputs.get(field.name), h("div", { className: "meaning faint", id: `about-${field.name}` }, field.meaning)]));
  await look();
}

function input(field) {
  const id = `field-${field.name}`;
  if (field.kind === "boolean") return h("input", { type: "checkbox", id, checked: field.text === "true" });
  if (field.kind === "integer") return h("input", { type: "text", inputMode: "numeric", id, value: field.text });
  return h("textarea", { id, rows: Math.min(4, Math.ceil(field.text.length / 34)), value: field.text, spellcheck: false });
}

const text = (element) => (element.type === "checkbox" ? String(element.checked) : element.value);

function seedText() {
  if (!/^\d{1,20}$/.test(seed.value.trim())) throw new Error("a seed is a whole number");
  return seed.value.trim();
}

// The position that the fields make, or null; then the field that is wrong is marked.
async function look() {
  const mine = (looks += 1);
  wrong.textContent = "";
  for (const [name, element] of inputs) {
    element.removeAttribute("aria-invalid");
    byId(`about-${name}`).classList.remove("warn");
  }
  says.textContent = "Checking …";
  try {
    const fields = Object.fromEntries([...inputs].map(([name, element]) => [name, text(element)]));
    const found = await postWithSeed("/api/edit", { game: games.value, fields, seat: hidden.value === "" ? null : Number(hidden.value), ...room.now }, seedText());
    if (mine !== looks) return null; // the fields were looked at again meanwhile
    board.show(found.picture, found.text, []);
    says.textContent = found.over ? "The game is over there." : "The position can be played.";
    shown = true;
    return found;
  } catch (error) {
    if (mine !== looks) return null;
    wrong.textContent = error.message;
    says.textContent = "This cannot be.";
    const named = [...inputs.keys()].filter((name) => new RegExp(`\\b${name}\\b`).test(error.message));
    for (const name of named) {
      inputs.get(name).setAttribute("aria-invalid", "true");
      byId(`about-${name}`).classList.add("warn");
    }
    if (named.length) inputs.get(named[0]).scrollIntoView({ block: "nearest" });
    return null;
  }
}

// It goes on in study: as text, since numbers of a position may have more digits than this page can count with.
async function study() {
  const found = await look();
  if (!found) return;
  sessionStorage.setItem("position", found.position);
  location.href = `/study#position=${seedText()}`;
}

tell(async () => {
  catalogue = (await get("/api/games")).games.filter((game) => !game.broken);
  fill(games, catalogue.map((game) => h("option", { value: game.name }, game.title)));
  const wanted = new URLSearchParams(location.hash.slice(1)).get("game");
  if (catalogue.some((game) => game.name === wanted)) games.value = wanted;
  const kept = sessionStorage.getItem("edited");
  sessionStorage.removeItem("edited");
  await load(wanted && kept ? kept : "");
});
