// Arrows and rings that somebody draws on the board in study: with the right button, or, once the button for it is
// pressed, by two clicks or taps. The same one again removes it; both ends at one place are a ring.

import { svg } from "./dom.js";

const RING = 16;

export class Arrows {
  // `changed()` is called when `arrows` was drawn on.
  constructor(board, changed) {
    this.board = board;
    this.arrows = [];
    this.drawing = false; // by clicks
    /** @type {string | null} */
    this.from = null;
    const element = board.element;
    element.addEventListener("contextmenu", (event) => board.picture && event.preventDefault());
    element.addEventListener("pointerdown", (event) => event.button === 2 && (this.from = this.endAt(event)));
    element.addEventListener("pointerup", (event) => event.button === 2 && this.until(event, changed));
    element.addEventListener(
      "click",
      (event) => {
        if (!this.drawing || !board.picture) return;
        event.stopImmediatePropagation(); // nothing is chosen or explained meanwhile
        event.preventDefault();
        if (this.from === null) this.from = this.endAt(event);
        else this.until(event, changed);
        this.show(this.arrows);
      },
      true,
    );
  }

  until(event, changed) {
    if (this.from === null) return;
    const arrow = [this.from, this.endAt(event)];
    this.from = null;
    const others = this.arrows.filter((known) => String(known) !== String(arrow));
    this.arrows = others.length < this.arrows.length ? others : [...this.arrows, arrow];
    this.show(this.arrows);
    changed();
  }

  // A thing by its key, or a place as shares of the picture.
  endAt(event) {
    const thing = event.target.closest?.("[data-key]");
    if (thing) return thing.dataset.key;
    const box = this.board.picture.getBoundingClientRect();
    const share = (at, from, size) => Math.max(0, Math.min(1, (at - from) / size)).toFixed(3);
    return `@${share(event.clientX, box.left, box.width)},${share(event.clientY, box.top, box.height)}`;
  }

  place(end) {
    const { width, height } = this.board.picture.viewBox.baseVal;
    if (end.startsWith("@")) {
      const [x, y] = end.slice(1).split(",").map(Number);
      return { x: x * width, y: y * height };
    }
    const thing = this.board.thing(end);
    if (!thing) return null;
    const [box, all] = [thing.getBoundingClientRect(), this.board.picture.getBoundingClientRect()];
    return { x: ((box.left + box.width / 2 - all.left) / all.width) * width, y: ((box.top + box.height / 2 - all.top) / all.height) * height };
  }

  show(arrows) {
    this.arrows = arrows;
    const picture = this.board.picture;
    if (!picture) return;
    picture.querySelector(".arrows")?.remove();
    const group = svg("g", { class: "arrows" });
    for (const [from, to] of [...arrows, ...(this.from !== null && this.drawing ? [[this.from, this.from]] : [])]) {
      const [one, other] = [this.place(from), this.place(to)];
      if (one && other) group.append(...(from === to ? [svg("circle", { cx: one.x, cy: one.y, r: RING })] : drawn(one, other)));
    }
    picture.append(group);
  }
}

function drawn(from, to) {
  const angle = Math.atan2(to.y - from.y, to.x - from.x);
  const tip = (turn, back) => `${to.x - back * Math.cos(angle + turn)},${to.y - back * Math.sin(angle + turn)}`;
  const line = svg("line", { x1: from.x, y1: from.y, x2: to.x - 12 * Math.cos(angle), y2: to.y - 12 * Math.sin(angle) });
  return [line, svg("polygon", { points: `${to.x},${to.y} ${tip(0.45, 22)} ${tip(-0.45, 22)}` })];
}
