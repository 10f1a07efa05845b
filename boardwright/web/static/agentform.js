// Choosing an agent: a level by name, or any agent with a form of its parameters.

import { h, fill } from "./dom.js";
import { Field } from "./fields.js";

export class AgentForm {
  // `game` is an entry of /api/games; `person`: whether a person can be chosen too.
  constructor(game, seats, levels, { person = false, value = "", label = "agent" } = {}) {
    this.game = game;
    this.person = person;
    const group = (label, options) => h("optgroup", { label }, options);
    this.select = h(
      "select",
      { onchange: () => this.show(), ariaLabel: label },
      person ? group("People", [h("option", { value: "person" }, "a person")]) : null,
      group(
        "Levels",
        levels.map((level) => h("option", { value: `level:${level.name}`, title: level.meaning }, level.name)),
      ),
      group(
        "Agents",
        game.agents.filter((agent) => agent.seats.includes(seats)).map((agent) => h("option", { value: `agent:${agent.name}`, title: agent.meaning }, agent.name)),
      ),
    );
    this.levels = levels;
    this.specs = game.levels[String(seats)] || {};
    this.about = h("div", { className: "small faint" });
    this.form = h("div", { className: "form small" });
    this.details = h("details", {}, h("summary", { className: "small" }, "parameters"), this.form);
    this.more = h("div", {}, this.about, this.details);
    if (value) this.select.value = value;
    if (this.select.selectedIndex < 0) this.select.value = `level:${levels[0].name}`; // cannot play at so many seats
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
      this.fields = agent.parameters.map((parameter) => new Field(parameter));
      fill(this.form, this.fields.map((field) => field.rows()));
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
    const given = this.fields.map((field) => [field.declared.name, field.value()]).filter(([, value]) => value !== undefined);
    return given.length ? `${name}:${given.map(([parameter, value]) => `${parameter}=${value}`).join(",")}` : name;
  }
}
