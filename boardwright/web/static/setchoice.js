// A choice of several things at once: any of them in any order, how many are chosen, and a button when it is enough.

import { h, refill } from "./dom.js";

export class SetChoice {
  // `confirm(places)` is called with the places of what somebody has chosen.
  constructor(element, board, confirm) {
    this.element = element;
    this.board = board;
    this.confirm = confirm;
    this.asked = null; // what is asked, as the server says it
    this.chosen = new Set();
  }

  // `asked` null: there is no such choice now. `where`: which position it belongs to.
  show(asked, where) {
    if (this.asked && asked && this.where === where) {
      this.mark(); // somebody may be choosing, and the board may have been drawn anew meanwhile
      this.update();
      return;
    }
    this.asked = asked;
    this.where = where;
    this.chosen = new Set();
    if (!asked) return;
    this.boxes = asked.items.map((_, place) => h("input", { type: "checkbox", onchange: () => this.toggle(place) }));
    this.count = h("span", { id: "set-count", role: "status" });
    this.button = h("button", { className: "main", id: "confirm", onclick: (event) => !(event.detail > 1) && this.confirm([...this.chosen].sort((one, other) => one - other)) });
    refill(
      this.element,
      h("p", { id: "set-question" }, h("b", {}, asked.question), " Click the cards, or choose here:"),
      h("div", { className: "row enough" }, this.count, this.button),
      asked.items.map((item, place) => h("label", { className: "item" }, this.boxes[place], h("span", {}, item.text, h("span", { className: "faint small" }, item.detail ? ` ${item.detail}` : "")))),
    );
    this.mark();
    this.update();
  }

  mark() {
    this.board.showSet(this.asked.items.map((item) => item.key), (place) => this.toggle(place), this.asked);
  }

  toggle(place) {
    if (this.chosen.has(place)) this.chosen.delete(place);
    else if (this.chosen.size < this.asked.most) this.chosen.add(place);
    else if (this.asked.most === 1) this.chosen = new Set([place]);
    this.update();
  }

  enough() {
    return this.chosen.size >= this.asked.least && this.chosen.size <= this.asked.most;
  }

  update() {
    const { least, most, verb } = this.asked;
    const many = least === most ? `${most}` : `${least} to ${most}`;
    this.boxes.forEach((box, place) => {
      box.checked = this.chosen.has(place);
      box.disabled = !box.checked && most > 1 && this.chosen.size >= most;
    });
    this.count.textContent = `${this.chosen.size} of ${many} chosen`;
    this.button.disabled = !this.enough();
    const names = [...this.chosen].sort((one, other) => one - other).map((place) => this.asked.items[place].text);
    this.button.textContent = this.enough() ? `${capital(verb)} ${names.join(", ") || "nothing"}` : `${capital(verb)} …`;
    this.board.markChosen(this.chosen);
  }
}

const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);
