// A thing of the board, explained: large, and in words. By hovering, by a long press, by a tap where a tap does nothing
// else, or by the key i.

import { h, svg } from "./dom.js";

const HOVER = 450; // milliseconds
const PRESS = 450;
const LARGE = 280; // pixels

export class Explainer {
  constructor(board) {
    this.board = board;
    this.panel = null;
    this.timer = undefined;
    this.pressed = false;
    const element = board.element;
    element.addEventListener("pointerover", (event) => event.pointerType === "mouse" && this.soon(event.target, HOVER));
    element.addEventListener("pointerout", (event) => event.pointerType === "mouse" && this.close());
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
    document.addEventListener("click", (event) => this.panel && !this.panel.contains(event.target) && !element.contains(event.target) && this.close());
    document.addEventListener("keydown", (event) => {
      if (event.key === "Escape") this.close();
      const thing = document.activeElement?.closest?.("[data-about]");
      if (event.key === "i" && thing && element.contains(thing)) this.show(thing);
    });
  }

  soon(target, delay, then = () => {}) {
    clearTimeout(this.timer);
    const thing = target.closest?.("[data-about]");
    if (!thing) return;
    this.timer = setTimeout(() => {
      then();
      this.show(thing);
    }, delay);
  }

  show(thing) {
    this.close();
    const box = thing.getBBox();
    const copy = thing.cloneNode(true);
    copy.removeAttribute("transform");
    copy.querySelectorAll(".halo, .fresh, .advice").forEach((mark) => mark.remove());
    for (const element of [copy, ...copy.querySelectorAll("*")]) for (const name of ["tabindex", "role", "data-key", "data-action", "aria-label"]) element.removeAttribute(name);
    const picture = svg("svg", { viewBox: `${box.x - 2} ${box.y - 2} ${box.width + 4} ${box.height + 4}`, "aria-hidden": "true", "font-family": "system-ui, sans-serif" });
    picture.style.width = `${Math.min(LARGE, innerWidth - 48, 2.2 * box.width)}px`;
    picture.append(copy);
    const [first, ...rest] = thing.dataset.about.split(/(?<=[a-z)]): |; | – /);
    this.panel = h(
      "div",
      { className: "panel explained", id: "explained", role: "tooltip" },
      box.width > 24 && box.height > 24 ? picture : null,
      h("p", {}, h("b", {}, first)),
      rest.length ? h("ul", {}, rest.map((part) => h("li", {}, part))) : null,
    );
    document.body.append(this.panel);
    const place = thing.getBoundingClientRect();
    const { offsetWidth: width, offsetHeight: height } = this.panel;
    const right = place.right + 10 + width < innerWidth ? place.right + 10 : place.left - width - 10;
    const left = right >= 8 ? right : (innerWidth - width) / 2;
    this.panel.style.left = `${Math.max(8, left)}px`;
    this.panel.style.top = `${Math.max(8, Math.min(place.top, innerHeight - height - 8))}px`;
  }

  close() {
    clearTimeout(this.timer);
    this.panel?.remove();
    this.panel = null;
  }
}
