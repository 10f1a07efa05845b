// The end of a game: who won, where the points came from, when the game turned, and what to do next.

import { dot, h } from "./dom.js";

const TURNING_POINTS = 3;
const A_TURN = 0.12; // of the chance to win

// `playOn(move, seat)`: play on from the position after so many moves.
export function sheet(table, chances, playOn) {
  const winners = table.returns ? table.returns.map((own) => own === Math.max(...table.returns)) : [];
  const parts = table.sheet?.parts ?? [];
  const rows = table.seats.map((seat, number) =>
    h(
      "tr",
      { className: winners[number] ? "won" : "" },
      h("th", { className: "left", scope: "row", title: seat.name }, dot(number), winners[number] ? "★ " : "", seat.name),
      parts.map((_, part) => h("td", {}, pointsText(table.sheet.rows[number][part]))),
      h("td", {}, h("b", {}, pointsText(table.sheet?.totals[number] ?? table.scores[number]))),
    ),
  );
  const turns = turningPoints(chances);
  return [
    h("h2", {}, "The result"),
    h("p", { id: "why" }, why(table, winners)),
    h(
      "div",
      { className: "scroll", tabIndex: 0, role: "region", ariaLabel: "The score sheet" },
      h("table", { className: "plain sheet", id: "sheet" }, h("thead", {}, h("tr", {}, h("th", { className: "left", scope: "col" }, "seat"), parts.map((part) => h("th", { scope: "col" }, part)), h("th", { scope: "col" }, table.sheet?.has_points ? "points" : "result"))), h("tbody", {}, rows)),
    ),
    turns.length ? h("div", { className: "small", id: "turns" }, h("p", {}, "Where the game turned, by playouts:"), h("ul", {}, turns.map((turn) => h("li", {}, h("a", { href: `/study#table=${table.id}&move=${turn.before}` }, `move ${turn.move}`), `: ${table.seats[turn.seat].name} gained ${Math.round(100 * turn.change)} %. `, h("button", { className: "link play-on", onclick: () => playOn(turn.before, table.seat) }, "Play on from here"))))) : null,
  ];
}

export const pointsText = (points) => (Number.isInteger(points) ? `${points}` : points.toFixed(2));

export const pointsOfAll = (names, points) => names.map((name, seat) => `${name} ${pointsText(points[seat])}`).join(", ");

// In a sentence: by how much, and by which part.
function why(table, winners) {
  if (table.status !== "finished") return `${table.note}.`;
  if (!table.sheet?.has_points) return `${table.note}.`;
  const order = table.scores.map((score, seat) => [score, seat]).sort((one, other) => other[0] - one[0]);
  const winner = winners.indexOf(true);
  if (winners.filter(Boolean).length !== 1 || order.length < 2) return `${table.note}.`;
  const second = order.find(([, seat]) => seat !== winner);
  const lead = table.scores[winner] - second[0];
  const best = (table.sheet?.parts ?? [])
    .map((part, place) => [table.sheet.rows[winner][place] - table.sheet.rows[second[1]][place], part])
    .sort((one, other) => other[0] - one[0])[0];
  const by = lead > 0 ? ` by ${pointsText(lead)} ${lead === 1 ? "point" : "points"}` : lead === 0 ? " by the tie-break" : "";
  return `${table.note}${by}${best && best[0] > 0 ? `, most of all by ${best[1]} (${pointsText(best[0])} more than ${table.seats[second[1]].name})` : ""}.`;
}

// Where somebody's chance to win changed most.
function turningPoints(chances) {
  const points = [...chances].sort(([one], [other]) => one - other);
  const found = [];
  for (let place = 1; place < points.length; place += 1) {
    const changes = points[place][1].map((chance, seat) => ({ move: points[place][0], before: points[place - 1][0], seat, change: chance - points[place - 1][1][seat] }));
    found.push(changes.reduce((one, other) => (other.change > one.change ? other : one)));
  }
  return found.filter((turn) => turn.change >= A_TURN).sort((one, other) => other.change - one.change).slice(0, TURNING_POINTS).sort((one, other) => one.move - other.move);
}
