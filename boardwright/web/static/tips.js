// Tips for a first game: what matters now, each once, until somebody has had enough of them.

import { h } from "./dom.js";

export class Tips {
  constructor(element, board, stopped) {
    this.element = element;
    this.board = board;
    this.stopped = stopped;
    this.game = null;
    this.shown = new Set();
  }

  static wanted(game) {
    return localStorage.getItem(`tips:${game}`) !== "off";
  }

  static stop(game) {
    localStorage.setItem(`tips:${game}`, "off");
  }

  show(game, tips, where) {
    if (!tips.length || !Tips.wanted(game)) {
      this.element.replaceChildren();
      return;
    }
    if (this.where === where && this.element.firstChild) return;
    this.where = where;
    const tip = tips.find((one) => !this.shown.has(one.name)) ?? null;
    if (!tip) {
      this.element.replaceChildren();
      return;
    }
    this.shown.add(tip.name);
    this.element.replaceChildren(
      h(
        "div",
        { className: "tip", id: "tip", role: "note" },
        h("span", {}, tip.text),
        h("span", { className: "row" }, h("button", { id: "tip-done", onclick: () => this.element.replaceChildren() }, "Got it"), h("button", { id: "tips-off", onclick: () => this.off(game) }, "No more tips")),
      ),
    );
    if (tip.at) this.board.point(tip.at);
  }

  off(game) {
    Tips.stop(game);
    this.element.replaceChildren();
    this.stopped();
  }
}
