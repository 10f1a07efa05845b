// Three questions after a game, where the server asks them: how strong, how much fun, how did they play.

import { fill, h } from "./dom.js";

const STRENGTHS = ["weak", "rather weak", "as strong as I", "rather strong", "strong"];
const FUN = ["none", "a little", "some", "much", "very much"];

export class Questions {
  // `send(message)` sends the answers; `styles()` promises names that one may choose from.
  constructor(element, send, styles) {
    this.element = element;
    this.send = send;
    this.styles = styles;
    this.asked = false;
  }

  async show(table) {
    this.element.classList.toggle("hidden", !table.asks);
    if (!table.asks || this.asked) return;
    this.asked = true;
    const select = (id, texts) => h("select", { id }, h("option", { value: "" }, "–"), texts.map((text, place) => h("option", { value: place + 1 }, text)));
    const [strength, fun] = [select("asked-strength", STRENGTHS), select("asked-fun", FUN)];
    const known = h("datalist", { id: "known-styles" });
    const style = h("input", { type: "text", id: "asked-style", maxLength: 300, list: "known-styles" });
    const number = (field) => (field.value ? Number(field.value) : null);
    const answer = (given) => this.send({ type: "answers", ...given });
    const row = (field, text) => h("div", { className: "row" }, h("label", { htmlFor: field.id }, text), field);
    fill(
      this.element,
      h("h2", {}, "Three questions"),
      row(strength, "How strong were your opponents?"),
      row(fun, "How much fun was it?"),
      row(style, "How did they play?"),
      known,
      h("div", { className: "row" }, h("button", { className: "main", id: "answer", onclick: () => answer({ strength: number(strength), fun: number(fun), style: style.value.trim() }) }, "Answer"), h("button", { id: "no-answer", onclick: () => answer({}) }, "I would rather not")),
      h("p", { className: "small faint" }, `What you answer stays on the machine that runs this server.${table.blind ? " Who your opponents were is told afterwards." : ""}`),
    );
    fill(known, (await this.styles()).map((name) => h("option", { value: name })));
  }
}
