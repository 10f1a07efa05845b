// Choosing an agent: a level or a character by name, or any agent with a form of its parameters.

import { characterCard } from "./character.js";
import { h, fill, specText } from "./dom.js";
import { Field } from "./fields.js";

export class AgentForm {
  // `game` is an entry of /api/games; `person`: whether a person can be chosen too.
  constructor(game, seats, levels, { person = false, value = "", label = "agent" } = {}) {
    this.game = game;
    /** @type {any} */
    this.name = null; // where a person types their name
    this.person = person;
    this.specs = game.levels[String(seats)] || {};
    this.ratings = game.ratings?.[String(seats)] || {};
    this.levels = levels.filter((level) => this.specs[level.name]);
    const here = (game.characters || []).filter((one) => one.seats.includes(seats));
    this.agents = game.agents.filter((agent) => agent.seats.includes(seats));
    const group = (label, options) => h("optgroup", { label }, options);
    this.select = h(
      "select",
      { onchange: () => this.show(), ariaLabel: label },
      person ? group("People", [h("option", { value: "person" }, "a person"), h("option", { value: "open" }, "anybody (an open seat)")]) : null,
      group(
        "Levels",
        this.levels.map((level) => h("option", { value: this.valueOf(level.name), title: level.meaning }, this.rated(level.name))),
      ),
      here.length
        ? group(
            "Characters",
            here.flatMap((one) => Object.keys(one.strengths).map((strength) => h("option", { value: `character:${one.name}:strength=${strength}`, title: one.about }, `${one.name}, ${strength}`))),
          )
        : null,
      group(
        "Agents",
        this.agents.filter((agent) => !this.specs[agent.name]).map((agent) => h("option", { value: `agent:${agent.name}`, title: agent.meaning }, agent.name)),
      ),
    );
    this.about = h("div", { className: "small faint" });
    this.form = h("div", { className: "form small" });
    this.details = h("details", {}, h("summary", { className: "small" }, "parameters"), this.form);
    this.more = h("div", {}, this.about, this.details);
    if (value) this.select.value = value;
    if (this.select.selectedIndex < 0) this.select.value = this.valueOf(this.levels[0].name); // cannot play at so many seats
    this.show();
  }

  // A level that has the name of an agent, as the companion, is that agent, with its parameters.
  valueOf(level) {
    return `${this.agents.some((agent) => agent.name === level) ? "agent" : "level"}:${level}`;
  }

  // A level with its rating, without the interval.
  rated(name) {
    return this.ratings[name] ? `${name} (${this.ratings[name].split(" ")[0]})` : name;
  }

  show() {
    const [kind, name] = this.split();
    this.fields = [];
    this.details.classList.add("hidden");
    if (kind === "person" || kind === "same") this.about.textContent = "";
    if (kind === "open") this.about.textContent = "Whoever has the table's address may take it.";
    if (kind === "level") {
      const level = this.levels.find((one) => one.name === name);
      const rating = this.ratings[name] ? `, rated ${this.ratings[name]}` : "";
      fill(this.about, `${level.meaning} The agent is `, specText(this.specs[name]), `${rating}.`);
    }
    if (kind === "character") {
      const [character, strength] = name.split(":strength=");
      fill(this.about, characterCard(this.game.characters.find((one) => one.name === character), strength));
    }
    if (kind === "agent") {
      const agent = this.game.agents.find((one) => one.name === name);
      this.about.textContent = this.levels.find((one) => one.name === name)?.meaning ?? agent.meaning;
      this.fields = agent.parameters.map((parameter) => new Field(parameter));
      fill(this.form, this.fields.map((field) => field.rows()));
      this.details.classList.toggle("hidden", !this.fields.length);
    }
  }

  // The agent of another table, as it is.
  keep(spec) {
    const level = Object.entries(this.specs).find(([, known]) => known === spec);
    const value = level ? this.valueOf(level[0]) : `same:${spec}`;
    if (!level) this.select.append(h("option", { value }, spec));
    this.select.value = value;
    this.show();
  }

  get open() {
    return this.select.value === "open";
  }

  split() {
    const [kind, ...rest] = this.select.value.split(":");
    return [kind, rest.join(":")];
  }

  // null: a person; otherwise a level, a character or a spec
  value() {
    const [kind, name] = this.split();
    if (kind === "person" || kind === "open") return null;
    if (kind === "level" || kind === "character" || kind === "same") return name;
    const given = this.fields.map((field) => [field.declared.name, field.value()]).filter(([, value]) => value !== undefined);
    return given.length ? `${name}:${given.map(([parameter, value]) => `${parameter}=${value}`).join(",")}` : name;
  }
}
