// "Play on from here": a new table that begins with a position of another game, against any agents.

import { fill, h, toast } from "./dom.js";
import { get, keepTokens, postWithSeed } from "./api.js";
import { AgentForm } from "./agentform.js";

// `start` and `actions`: the position; `person`: the seat that a person takes unless they choose otherwise.
export async function playOn(element, start, actions, person) {
  const catalogue = await get("/api/games");
  const game = catalogue.games.find((one) => one.name === start.game);
  const seats = Array.from({ length: start.seats }, (_, seat) => seat);
  const forms = seats.map((seat) => new AgentForm(game, start.seats, catalogue.levels, { person: true, value: seat === person ? "person" : "level:strong", label: game.seat_names[seat] }));
  fill(
    element,
    h("h2", {}, `A new table from move ${actions.length}`),
    forms.map((one, seat) => h("div", { className: "row" }, h("span", {}, game.seat_names[seat]), one.select, one.more)),
    h("button", { className: "main", id: "takeover-start", onclick: () => newTable(start, actions, forms) }, "Start"),
  );
  element.scrollIntoView({ block: "nearest" });
}

async function newTable(start, actions, forms) {
  try {
    const seats = forms.map((one) => ({ agent: one.value(), open: one.open }));
    const table = await postWithSeed("/api/tables", { game: start.game, options: start.options, position: start.position || "", actions, seats }, start.seed);
    keepTokens(table.id, table.tokens);
    const first = Object.values(table.tokens)[0];
    location.href = `/table/${table.id}${first ? `#${first}` : ""}`;
  } catch (error) {
    toast(error.message);
  }
}
