// Choosing an agent: a level by name, or any agent with a form of its parameters.

import { h, fill } from "./dom.js";

export class AgentForm {
  // `game` is an entry of /api/games; `person`: whether a person can be chosen too.
  constructor(game, seats, levels, { person = false, value = "" } = {}) {
    this.game = game;
    this.person = person;
    const group = (label, options) => h("optgroup", { label }, options);
    this.select = h(
      "select",
      { onchange: () => this.show() },
      person ? group("People", [h("option", { value: "person" }, "a person")]) : null,
      group(
        "Levels",
        levels.map((level) => h("option", { value: `level:${level.name}`, title: level.meaning }, level.name)),
      ),
      group(
        "Agents",
        game.agents.map((agent) => h("option", { value: `agent:${agent.name}`, title: agent.meaning }, agent.name)),
      ),
    );
    this.levels = levels;
    this.specs = game.levels[String(seats)] || {};
    this.about = h("div", { className: "small faint" });
    this.form = h("div", { className: "form small" });
    this.details = h("details", {}, h("summary", { className: "small" }, "parameters"), this.form);
    this.more = h("div", {}, this.about, this.details);
    if (value) this.select.value = value;
    this.show();
  }

  show() {
    const [kind, name] = this.split();
    this.fields = [];
    this.details.classList.add("hidden");
    if (kind === "person") this.about.textContent = "";
    if (kind === "level") {
      const level = this.levels.find((one) => one.name === name);
      this.about.textContent = `${level.meaning} (${this.specs[name]})`;
    }
    if (kind === "agent") {
      const agent = this.game.agents.find((one) => one.name === name);
      this.about.textContent = agent.meaning;
      this.fields = agent.parameters.map((parameter) => [parameter, input(parameter)]);
      fill(
        this.form,
        this.fields.map(([parameter, field]) => [
          h("label", { title: parameter.meaning }, parameter.name),
          field,
          h("div", { className: "meaning faint" }, parameter.meaning),
        ]),
      );
      this.details.classList.toggle("hidden", !this.fields.length);
    }
  }

  split() {
    const [kind, ...rest] = this.select.value.split(":");
    return [kind, rest.join(":")];
  }

  // null: a person; otherwise a level or a spec
  value() {
    const [kind, name] = this.split();
    if (kind === "person") return null;
    if (kind === "level") return name;
    const given = this.fields
      .map(([parameter, field]) => [parameter, field.type === "checkbox" ? String(field.checked) : field.value.trim()])
      .filter(([parameter, text]) => text !== "" && text !== String(parameter.default ?? ""));
    return given.length ? `${name}:${given.map(([parameter, text]) => `${parameter.name}=${text}`).join(",")}` : name;
  }

  spec() {
    const value = this.value();
    return this.specs[value] || value;
  }
}

export function input(declared) {
  const { kind } = declared;
  if (kind === "choice") {
    const chosen = declared.default ?? "";
    const none = declared.choices.includes(chosen) ? [] : [h("option", { value: "" }, "default")];
    const select = h("select", { ariaLabel: declared.name }, none, declared.choices.map((choice) => h("option", { value: choice }, choice)));
    select.value = chosen;
    return select;
  }
  if (kind === "switch") return h("input", { type: "checkbox", checked: Boolean(declared.default), ariaLabel: declared.name });
  if (kind === "text") return h("input", { type: "text", value: declared.default ?? "", title: declared.allowed, ariaLabel: declared.name });
  return h("input", {
    type: "number",
    value: declared.default ?? "",
    min: declared.low,
    max: declared.high,
    step: kind === "whole" ? 1 : "any",
    ariaLabel: declared.name,
  });
}
