// The choices in words: a list that can be clicked, and keys for those with the numbers 1 to 10.

import { h, refill } from "./dom.js";

const KEYS = "1234567890";

export class Choices {
  constructor(element, choose) {
    this.element = element;
    this.choose = choose;
    this.choices = [];
    this.shown = null;
    element.tabIndex = 0; // it scrolls
    document.addEventListener("keydown", (event) => this.key(event));
  }

  // Something else is shown in its place.
  hide() {
    this.shown = null;
    this.choices = [];
  }

  show(choices) {
    const now = JSON.stringify(choices);
    if (now === this.shown) return;
    this.shown = now;
    this.choices = choices;
    refill(
      this.element,
      choices.map((choice) =>
        h(
          "button",
          { onclick: (event) => !(event.detail > 1) && this.choose(choice.action) },
          h("kbd", {}, KEYS[choice.number - 1] ?? ""),
          choice.text,
        ),
      ),
    );
  }

  key(event) {
    if (event.repeat || event.ctrlKey || event.metaKey || event.altKey || /INPUT|SELECT|TEXTAREA/.test(event.target.tagName)) return;
    const number = KEYS.indexOf(event.key) + 1;
    const choice = this.choices.find((one) => number && one.number === number);
    if (choice) {
      event.preventDefault();
      this.choose(choice.action);
    }
  }
}
