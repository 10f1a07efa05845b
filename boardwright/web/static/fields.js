// The fields of a form, as the server declares them: a choice, a switch, a number, any of several, one for each seat.

import { h } from "./dom.js";

let made = 0;

export class Field {
  // `seats`: names of seats, for a field with an entry for each.
  constructor(declared, seats = []) {
    this.declared = declared;
    this.id = `field-${(made += 1)}`;
    this.parts = this.make(seats);
    this.element = this.parts.length === 1 ? this.parts[0] : h("div", { className: "row", id: this.id, role: "group", ariaLabel: declared.name }, this.parts.map((part) => part.closest("label") || part));
  }

  make(seats) {
    const { kind, name, choices, low, high, allowed } = this.declared;
    const initial = this.declared.default;
    const alone = { id: this.id, name };
    if (kind === "choice") {
      const none = choices.includes(initial ?? "") ? [] : [h("option", { value: "" }, "default")];
      const select = h("select", alone, none, choices.map((choice) => h("option", { value: choice }, choice || "none")));
      select.value = initial ?? "";
      return [select];
    }
    if (kind === "seats") {
      return seats.map((seat, number) => {
        const select = h("select", { name, ariaLabel: `${name}: ${seat}` }, choices.map((choice) => h("option", { value: choice }, choice)));
        select.value = String(initial).split(",")[number] ?? choices[0];
        return select;
      });
    }
    if (kind === "several") {
      const on = initial === "all" ? choices : String(initial).split("+");
      return choices.map((choice) => {
        const box = h("input", { type: "checkbox", name, value: choice, checked: on.includes(choice) });
        h("label", { className: "box" }, box, choice.replaceAll("_", " "));
        return box;
      });
    }
    if (kind === "switch") return [h("input", { ...alone, type: "checkbox", checked: Boolean(initial) })];
    return [h("input", { ...alone, type: "number", value: initial ?? "", min: low, max: high, step: kind === "whole" ? 1 : "any" })];
  }

  // Of a field with an entry for each seat: only these are asked for.
  showSeats(count) {
    if (this.declared.kind === "seats") this.parts.forEach((part, seat) => part.classList.toggle("hidden", seat >= count));
  }

  // What somebody has set; undefined: nothing, the default holds.
  value() {
    const value = this.current();
    return value === "" || value === (this.declared.default ?? "") ? undefined : value;
  }

  current() {
    const [first] = this.parts;
    if (this.declared.kind === "seats") return this.parts.filter((part) => !part.classList.contains("hidden")).map((part) => part.value).join(",");
    if (this.declared.kind === "several") return this.parts.filter((part) => part.checked).map((part) => part.value).join("+") || "none";
    if (this.declared.kind === "switch") return first.checked;
    if (this.declared.kind === "choice") return first.value;
    if (!first.checkValidity()) throw new Error(`${this.declared.name}: ${first.validationMessage}`);
    return first.value.trim() === "" ? "" : Number(first.value);
  }

  // A row of a form.
  rows() {
    const { name, meaning } = this.declared;
    const label = this.parts.length === 1 ? h("label", { htmlFor: this.id }, name) : h("span", {}, name);
    return [label, this.element, h("div", { className: "meaning faint" }, meaning)];
  }
}
