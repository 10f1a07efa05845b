// The review of a finished game: decisions are judged a few at a time, mistakes are listed with the largest first, and
// each leads to its position.

import { SEAT_COLOURS, dot, fill, h, svg, toast } from "./dom.js";
import { postWithStart } from "./api.js";

const PART = 6; // decisions per request
const MATTERED = 5; // are told in words
const WIDTH = 340;
const HEIGHT = 110;

export class Review {
  // `jump(moves)` goes to the position after so many moves, `playOn(moves, seat)` plays on from it;
  // `game()` says what is on the page: { start, actions, names, forfeited }.
  constructor(element, game, jump, playOn) {
    this.element = element;
    this.game = game;
    this.jump = jump;
    this.playOn = playOn;
    this.run = 0; // counts the games that were shown
    /** @type {any[]} */
    this.found = [];
    this.going = false;
    this.done = 0;
    this.show();
  }

  // Another game is shown: what was found belongs to the old one.
  reset() {
    this.run += 1;
    this.found = [];
    this.going = false;
    this.done = 0;
    this.show();
  }

  async begin() {
    const run = this.run;
    this.going = true;
    const { start, actions, forfeited } = this.game();
    try {
      while (this.done < actions.length && this.going && run === this.run) {
        const moves = Array.from({ length: Math.min(PART, actions.length - this.done) }, (_, i) => this.done + i + 1);
        const { decisions } = await postWithStart("/api/review", start, { actions, moves, explain: false, forfeited });
        if (run !== this.run) return;
        this.found.push(...decisions);
        this.done += moves.length;
        this.show();
      }
      for (const one of this.worst().slice(0, MATTERED)) {
        if (!this.going || run !== this.run || one.sentences.length) continue;
        const { decisions } = await postWithStart("/api/review", start, { actions, moves: [one.move], explain: true, forfeited });
        if (run !== this.run) return;
        if (decisions.length) one.sentences = decisions[0].sentences;
        this.show();
      }
    } catch (error) {
      toast(error.message);
    }
    if (run === this.run) this.going = false;
    this.show();
  }

  worst() {
    return this.found.filter((one) => one.mistake).sort((a, b) => b.loss - a.loss);
  }

  show() {
    const { actions = [], names = [] } = this.game() || {};
    const whole = this.done >= actions.length;
    const label = this.going ? "Stop" : this.done && !whole ? "Go on" : "Review this game";
    const act = () => {
      if (this.going) this.going = false;
      else this.begin();
      this.show();
    };
    fill(
      this.element,
      whole && this.done ? null : h("button", { id: "review", disabled: !actions.length, onclick: act }, label),
      this.done ? h("p", { className: "small faint", role: "status" }, whole ? this.summary(names) : `${this.done} of ${actions.length} moves judged`) : null,
      this.found.length ? this.curve(actions.length) : null,
      this.worst().map((one) => this.mistake(one, names)),
    );
  }

  summary(names) {
    const parts = names.map((name, seat) => {
      const own = this.found.filter((one) => one.seat === seat);
      const mean = own.reduce((sum, one) => sum + one.accuracy, 0) / Math.max(1, own.length);
      return own.length ? `${name}: accuracy ${mean.toFixed(1)}` : null;
    });
    return `${parts.filter(Boolean).join(" · ")}. Judged from what each seat knew; a loss is told if its interval excludes zero.`;
  }

  mistake(one, names) {
    const go = () => this.jump(one.move - 1);
    return h(
      "div",
      { className: "mistake" },
      h("button", { className: "link", onclick: go, title: "go to this position" }, `Move ${one.move}`),
      dot(one.seat),
      ` ${names[one.seat]}: ${one.played} cost ${(100 * one.loss).toFixed(0)} ± ${(100 * one.standard_error).toFixed(1)} points; better: ${one.better}`,
      one.sentences.length ? h("ul", { className: "small" }, one.sentences.slice(1).map((text) => h("li", {}, text))) : null,
      h("button", { className: "link small play-on", onclick: () => this.playOn(one.move - 1, one.seat) }, "Play on from here"),
    );
  }

  // What each seat stood at after its decisions; a dot for every mistake.
  curve(last) {
    const picture = svg("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: "curve", role: "img", "aria-label": "The value of each seat after its decisions, with its mistakes" });
    const x = (move) => 4 + ((WIDTH - 8) * move) / Math.max(1, last);
    const y = (value) => 4 + (HEIGHT - 8) * (1 - value);
    picture.append(svg("line", { class: "grid", x1: 4, x2: WIDTH - 4, y1: y(0.5), y2: y(0.5) }));
    for (const seat of new Set(this.found.map((one) => one.seat))) {
      const own = this.found.filter((one) => one.seat === seat);
      picture.append(svg("polyline", { points: own.map((one) => `${x(one.move)},${y(one.value)}`).join(" "), fill: "none", stroke: SEAT_COLOURS[seat], "stroke-width": 2 }));
    }
    for (const one of this.worst()) {
      const mark = svg("circle", { cx: x(one.move), cy: y(one.value), r: 5, fill: SEAT_COLOURS[one.seat], stroke: "currentColor" });
      mark.style.cursor = "pointer";
      mark.addEventListener("click", () => this.jump(one.move - 1));
      picture.append(mark);
    }
    return picture;
  }
}
