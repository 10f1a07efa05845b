// Everybody's chance to win through the game, as lines. Each seat has its colour and its dash.

import { SEAT_COLOURS, svg } from "./dom.js";
import { postWithStart } from "./api.js";

const WIDTH = 340;
const HEIGHT = 150;
const LEFT = 36;
const BOTTOM = 18;
const DASHES = ["", "6 3", "2 3", "8 3 2 3", "1 2", "10 4", "4 4", "3 1"];

// points: [[move, [chance of each seat]], …]
export function drawCurve(element, points, last, here, names, jump) {
  const picture = svg("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: "curve", role: "img", "aria-label": described(points, names) });
  const x = (move) => LEFT + ((WIDTH - LEFT - 6) * move) / Math.max(1, last);
  const y = (chance) => 6 + (HEIGHT - BOTTOM - 6) * (1 - chance);
  for (const chance of [0, 0.25, 0.5, 0.75, 1]) {
    picture.append(svg("line", { class: "grid", x1: LEFT, x2: WIDTH - 6, y1: y(chance), y2: y(chance) }));
    if (chance % 0.5 === 0) picture.append(label(LEFT - 4, y(chance) + 3, `${100 * chance}%`, "end"));
  }
  picture.append(label(LEFT, HEIGHT - 5, "start", "start"), label(WIDTH - 6, HEIGHT - 5, `move ${last}`, "end"));
  const seats = points.length ? points[0][1].length : 0;
  for (let seat = 0; seat < seats; seat += 1) {
    const colour = SEAT_COLOURS[seat];
    const way = points.map(([move, chances]) => `${x(move).toFixed(1)},${y(chances[seat]).toFixed(1)}`);
    const line = svg("polyline", { points: way.join(" "), fill: "none", stroke: colour, "stroke-width": 2.2, "stroke-dasharray": DASHES[seat] });
    line.append(title(names[seat]));
    picture.append(line);
    const [move, chances] = points.at(-1);
    const end = svg("circle", { cx: x(move), cy: y(chances[seat]), r: 3.5, fill: colour });
    end.append(title(`${names[seat]}: ${Math.round(100 * chances[seat])} %`));
    picture.append(end);
  }
  if (here !== null) picture.append(svg("line", { class: "here", x1: x(here), x2: x(here), y1: 4, y2: HEIGHT - BOTTOM }));
  if (jump) {
    picture.addEventListener("click", (event) => {
      const place = picture.getBoundingClientRect();
      const at = ((event.clientX - place.left) / place.width) * WIDTH;
      jump(Math.max(0, Math.min(last, Math.round(((at - LEFT) / (WIDTH - LEFT - 6)) * last))));
    });
    picture.style.cursor = "pointer";
  }
  element.replaceChildren(picture);
}

const POINTS = 60;
const AT_ONCE = 12;

// Have the chances of a whole game estimated, some at a time; `found(points)` says whether more are wanted.
export async function estimateCurve(start, actions, found) {
  const step = Math.max(1, Math.ceil(actions.length / POINTS));
  const wanted = [];
  for (let move = 0; move < actions.length; move += step) wanted.push(move);
  wanted.push(actions.length);
  for (let first = 0; first < wanted.length; first += AT_ONCE) {
    const { points } = await postWithStart("/api/curve", start, { actions, at: wanted.slice(first, first + AT_ONCE) });
    if (!found(points)) return;
  }
}

function label(x, y, text, anchor) {
  const element = svg("text", { x, y, "text-anchor": anchor });
  element.textContent = text;
  return element;
}

function title(text) {
  const element = svg("title");
  element.textContent = text;
  return element;
}

function described(points, names) {
  if (!points.length) return "No chances estimated yet";
  const chances = points.at(-1)[1];
  return `Chances to win: ${names.map((name, seat) => `${name} ${Math.round(100 * chances[seat])} %`).join(", ")}`;
}
