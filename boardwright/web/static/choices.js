// The choices in words: a list that can be clicked, and keys for the first of them.

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
      choices.map((choice, place) =>
        h(
          "button",
          { onclick: (event) => !(event.detail > 1) && this.choose(choice.action) },
          h("kbd", {}, place < KEYS.length ? KEYS[place] : ""),
          choice.text,
        ),
      ),
    );
  }

  key(event) {
    if (event.repeat || event.ctrlKey || event.metaKey || event.altKey || /INPUT|SELECT|TEXTAREA/.test(event.target.tagName)) return;
    const place = KEYS.indexOf(event.key);
    if (place >= 0 && place < this.choices.length) {
      event.preventDefault();
      this.choose(this.choices[place].action);
    }
  }
}
