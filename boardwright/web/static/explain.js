// A thing of the board, explained: large, and in words. By hovering, by a long press, by a tap where a tap does nothing
// else, or by the key i.

import { h, svg } from "./dom.js";

const HOVER = 450; // milliseconds
const PRESS = 450;
const LARGE = 220; // pixels
const SMALL = 40; // a picture that is less high than this is left out
const GAP = 10; // between the thing and its panel
const EDGE = 8; // between the panel and the window's edge

export class Explainer {
  constructor(board) {
    this.board = board;
    this.panel = null;
    this.timer = undefined;
    this.pressed = false;
    const element = board.element;
    element.addEventListener("pointerover", (event) => event.pointerType === "mouse" && this.soon(event.target, HOVER));
    element.addEventListener("pointerout", (event) => event.pointerType === "mouse" && this.close());
    element.addEventListener("shown", () => this.close()); // other choices, or none any more
    element.addEventListener("pointerdown", (event) => {
      this.close();
      this.pressed = false;
      if (event.pointerType !== "mouse") this.soon(event.target, PRESS, () => (this.pressed = true));
    });
    for (const kind of ["pointerup", "pointercancel", "pointermove"]) {
      element.addEventListener(kind, (event) => {
        if (event.pointerType === "mouse" || (kind === "pointermove" && Math.hypot(event.movementX, event.movementY) < 4)) return;
        clearTimeout(this.timer);
      });
    }
    element.addEventListener("contextmenu", (event) => matchMedia("(pointer: coarse)").matches && event.preventDefault());
    // The click that ends a long press chooses nothing; a tap on what cannot be chosen explains it.
    element.addEventListener(
      "click",
      (event) => {
        if (this.pressed) {
          event.stopPropagation();
          event.preventDefault();
          this.pressed = false;
          return;
        }
        const thing = event.target.closest?.("[data-about]");
        if (thing && !event.target.closest(".can, [data-fold]")) {
          event.stopPropagation();
          this.show(thing);
        }
      },
      true,
    );
    document.addEventListener("click", (event) => !element.contains(event.target) && this.close());
    document.addEventListener("keydown", (event) => {
      if (event.key === "Escape") this.close();
      const thing = document.activeElement?.closest?.("[data-about]");
      if (event.key === "i" && thing && element.contains(thing)) this.show(thing);
    });
  }

  soon(target, delay, then = () => {}) {
    clearTimeout(this.timer);
    const thing = target.closest?.("[data-about]");
    if (!thing || !this.explains(thing)) return;
    this.timer = setTimeout(() => {
      then();
      this.show(thing);
    }, delay);
  }

  // Whether a thing's text says more than what a click on it means.
  explains(thing) {
    return !(thing.dataset.action ?? "").split(" ").some((action) => this.board.choices.get(Number(action)) === thing.dataset.about);
  }

  show(thing) {
    this.close();
    if (!thing.isConnected || !this.explains(thing)) return;
    const [first, ...rest] = thing.dataset.about.split(/(?<=[a-z]): |; | – /);
    const picture = enlarged(thing);
    this.panel = h(
      "div",
      { className: "panel explained", id: "explained", role: "tooltip" },
      picture,
      h("p", {}, h("b", {}, first)),
      rest.length ? h("ul", {}, rest.map((part) => h("li", {}, part))) : null,
    );
    document.body.append(this.panel);
    putBeside(this.panel, picture, thing.getBoundingClientRect());
  }

  close() {
    clearTimeout(this.timer);
    this.panel?.remove();
    this.panel = null;
  }
}

// A copy of a thing, large; nothing where it is too small to show more.
function enlarged(thing) {
  const box = thing.getBBox();
  if (box.width <= 24 || box.height <= 24) return null;
  const copy = thing.cloneNode(true);
  copy.removeAttribute("transform");
  copy.querySelectorAll(".halo, .fresh, .advice").forEach((mark) => mark.remove());
  for (const element of [copy, ...copy.querySelectorAll("*")]) for (const name of ["tabindex", "role", "data-key", "data-action", "aria-label"]) element.removeAttribute(name);
  const picture = svg("svg", { viewBox: `${box.x - 2} ${box.y - 2} ${box.width + 4} ${box.height + 4}`, "aria-hidden": "true", "font-family": "system-ui, sans-serif" });
  picture.style.width = `${Math.min(LARGE, innerWidth - 48, 2.2 * box.width)}px`;
  picture.append(copy);
  return picture;
}

// Beside the thing, where the window has room for the whole panel; otherwise where it has most, with a smaller picture.
function putBeside(panel, picture, place) {
  const spaces = [
    { left: place.right + GAP, top: EDGE, width: innerWidth - place.right - GAP - EDGE, height: innerHeight - 2 * EDGE },
    { left: EDGE, top: EDGE, width: place.left - GAP - EDGE, height: innerHeight - 2 * EDGE },
    { left: EDGE, top: place.bottom + GAP, width: innerWidth - 2 * EDGE, height: innerHeight - place.bottom - GAP - EDGE },
    { left: EDGE, top: EDGE, width: innerWidth - 2 * EDGE, height: place.top - GAP - EDGE },
  ];
  const { offsetWidth: wide, offsetHeight: high } = panel;
  const area = (space) => Math.max(0, space.width) * Math.max(0, space.height);
  const space = spaces.find(({ width, height }) => wide <= width && high <= height) ?? spaces.reduce((one, other) => (area(other) > area(one) ? other : one));
  panel.style.maxWidth = `min(22rem, ${space.width}px)`;
  panel.style.maxHeight = `${space.height}px`;
  if (picture) {
    const room = picture.getBoundingClientRect().height - (panel.scrollHeight - panel.clientHeight);
    if (room < SMALL) picture.remove();
    else picture.style.maxHeight = `${room}px`;
  }
  const { offsetWidth: width, offsetHeight: height } = panel;
  const within = (wanted, least, most) => Math.max(least, Math.min(wanted, most));
  const beforeIt = space.left + space.width < place.left; // it stands on the left: close to the thing
  panel.style.left = `${beforeIt ? space.left + space.width - width : within(place.left, space.left, space.left + space.width - width)}px`;
  const aboveIt = space.top + space.height < place.top;
  panel.style.top = `${aboveIt ? space.top + space.height - height : within(place.top, space.top, space.top + space.height - height)}px`;
}
