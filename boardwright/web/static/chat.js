// A short chat at a table. What others write is text, never markup.

import { dot, fill, h } from "./dom.js";

const LONGEST = 300;

export class Chat {
  constructor(element, say) {
    this.lines = [];
    this.list = h("div", { className: "log", id: "chat", tabIndex: 0, role: "log", ariaLabel: "Chat" });
    this.field = h("input", { type: "text", id: "chat-text", maxLength: LONGEST, placeholder: "say something", ariaLabel: "say something" });
    const form = h("form", { className: "row", onsubmit: (event) => { event.preventDefault(); this.send(say); } }, this.field, h("button", { id: "chat-send" }, "Say"));
    fill(element, h("h2", {}, "Chat"), this.list, form);
  }

  send(say) {
    const text = this.field.value.trim();
    if (text && say(text)) this.field.value = "";
  }

  add(lines) {
    this.lines = [...this.lines, ...lines].slice(-100);
    fill(
      this.list,
      this.lines.map((line) => h("div", {}, h("span", { className: "who" }, line.seat >= 0 ? dot(line.seat) : null, `${line.name}: `), line.text)),
    );
    this.list.scrollTop = this.list.scrollHeight;
  }
}
