// A character's card: two sentences, its rating at a strength, and a small picture of its style.

import { h, svg } from "./dom.js";

const WIDTH = 60; // of the bars of a picture, in its own units
const ROW = 12;
const MOST = 2; // standard deviations

export function characterCard(character, strength) {
  const rating = character.strengths[strength].rating;
  const rated = rating ? `${strength}, rated ${rating.elo} (${rating.low} to ${rating.high})` : `${strength}, not rated yet`;
  return h("div", { className: "character" }, h("div", {}, character.about), h("div", { className: "faint" }, rated), picture(character.style));
}

// Bars to the right of the middle: more than its fellows; to the left: less.
function picture(style) {
  const entries = Object.entries(style);
  if (!entries.length) return null;
  const words = entries.map(([name, value]) => `${name} ${value > 0 ? "more" : "less"} than others by ${Math.abs(value).toFixed(1)}`);
  const drawn = svg("svg", { viewBox: `0 0 200 ${ROW * entries.length}`, width: 220, role: "img", "aria-label": `style: ${words.join(", ")}` });
  entries.forEach(([name, value], row) => {
    const length = (Math.min(Math.abs(value), MOST) / MOST) * (WIDTH / 2);
    const text = svg("text", { x: WIDTH + 6, y: ROW * row + 9, "font-size": 9, fill: "currentColor" });
    text.textContent = name;
    drawn.append(svg("rect", { x: value < 0 ? WIDTH / 2 - length : WIDTH / 2, y: ROW * row + 2, width: length, height: ROW - 4, fill: "var(--bar)" }), text);
  });
  drawn.append(svg("line", { x1: WIDTH / 2, x2: WIDTH / 2, y1: 0, y2: ROW * entries.length, stroke: "currentColor", "stroke-width": 0.5 }));
  return drawn;
}
