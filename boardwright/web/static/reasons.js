// What an agent thinks: its options with value, visits and prior, and the cases it was reminded of.

import { h, fill } from "./dom.js";

const MOST = 12;
const MOST_CASES = 4;

// `rename`: seats by their names.
export function showReasons(element, thought, title, rename = (text) => text) {
  if (thought && element.shows === thought) return; // somebody may be reading a case
  element.shows = thought;
  if (!thought) {
    fill(element);
    return;
  }
  const best = thought.options.find((option) => option.action === thought.action);
  const rest = thought.options.filter((option) => option !== best);
  const options = [...(best ? [best] : []), ...rest].slice(0, MOST);
  fill(
    element,
    h("p", {}, h("b", {}, title), ` ${rename(thought.text)}`),
    legend(thought.options),
    h(
      "div",
      { className: "reasons", tabIndex: 0, role: "region", ariaLabel: "options" },
      options.map((option) => reason({ ...option, text: rename(option.text) }, option.action === thought.action)),
    ),
    thought.options.length > MOST ? h("p", { className: "faint small" }, `and ${thought.options.length - MOST} more`) : null,
    h("p", { className: "faint small" }, [thought.summary, `${thought.seconds.toFixed(2)} s`].filter(Boolean).join(" · ")),
  );
}

function reason(option, best) {
  const value = option.value === null ? "" : `${option.value >= 0 ? "+" : ""}${option.value.toFixed(3)}`;
  const parts = [h("span", {}, option.text), h("span", { className: "value" }, value)];
  const said = [];
  if (option.visits !== null) said.push(`${option.visits.toLocaleString("en")} visit${option.visits === 1 ? "" : "s"}`);
  if (option.weight !== null) said.push(percent(option.weight));
  if (option.prior !== null) said.push(`prior ${percent(option.prior)}`);
  if (option.weight !== null) {
    const bar = h("div", { className: "fill" });
    bar.style.width = `${100 * Math.min(1, Math.max(0, option.weight))}%`;
    parts.push(h("div", { className: "track", ariaHidden: "true" }, bar));
  }
  if (said.length) parts.push(h("div", { className: "faint small said" }, said.join(" · ")));
  if (option.note) parts.push(notes(option.note));
  return h("div", { className: best ? "reason best" : "reason" }, parts);
}

const percent = (share) => `${(100 * share).toFixed(share < 0.0995 && share > 0 ? 1 : 0)} %`;

// What the figures beside the options mean; only those that are there.
function legend(options) {
  const has = (name) => options.some((option) => option[name] !== null);
  const lines = [];
  if (has("value")) lines.push("Right: the result it expects, in the game's units.");
  if (has("visits")) lines.push("Bar and visits: how often its search tried the option.");
  else if (has("weight")) lines.push("Bar: how likely it is to choose the option.");
  if (has("prior")) lines.push("Prior: how likely its network thought the option before searching.");
  return lines.length ? h("p", { className: "faint small", id: "legend" }, lines.join(" ")) : null;
}

// Cases come one per line, or with semicolons between.
function notes(note) {
  const lines = note.split(/\n|; (?=case )/).filter(Boolean);
  if (lines.length < 2) return h("div", { className: "note faint small" }, note);
  return h("ul", { className: "cases note faint small" }, lines.map((line) => h("li", {}, line)));
}

// The cases that the agent was reminded of, side by side with this position: a row for each feature.
export function showCases(element, thought) {
  const cases = thought?.cases || [];
  if (element.shows === thought) return;
  element.shows = thought;
  if (!cases.length) {
    fill(element);
    return;
  }
  const near = cases.slice(0, MOST_CASES);
  const features = near[0].features.map(({ name, here }) => ({ name, here, there: near.map((one) => one.features.find((feature) => feature.name === name)) }));
  const cost = (feature) => feature.there.reduce((sum, one) => sum + (one.distance ?? 0), 0);
  const same = features.filter((feature) => feature.there.every((one) => one.distance === 0));
  const others = features.filter((feature) => !same.includes(feature)).sort((one, other) => cost(other) - cost(one));
  fill(
    element,
    h("h2", {}, "Remembered cases beside this position"),
    h(
      "div",
      { className: "scroll", tabIndex: 0, role: "region", ariaLabel: "remembered cases" },
      h(
        "table",
        { className: "compared" },
        h("thead", {}, h("tr", {}, h("td", {}), h("th", { scope: "col" }, "this position"), near.map(caseHead))),
        h("tbody", {}, others.map(compared)),
      ),
    ),
    h("p", { className: "small faint" }, "What both have is bold. Small numbers say what a difference adds to the distance; rows without them are not compared."),
    same.length ? h("p", { className: "small" }, h("b", {}, "The same in all: "), same.map((feature) => `${feature.name} ${feature.here.join(", ") || "none"}`).join("; ")) : null,
  );
}

function caseHead(one) {
  const means = one.means === one.done ? null : h("div", { className: "small" }, `here ${one.means}`);
  return h("th", { scope: "col" }, `chose ${one.done}`, means, h("div", { className: "faint small" }, `${one.title}; ${one.distance.toFixed(2)} away`));
}

function compared(feature) {
  return h("tr", {}, h("th", { scope: "row" }, feature.name), h("td", {}, feature.here.join(", ") || "–"), feature.there.map((one) => h("td", {}, members(one.there, feature.here), one.distance ? h("span", { className: "faint cost" }, ` +${one.distance.toFixed(2)}`) : null)));
}

function members(own, others) {
  if (!own.length) return "–";
  return own.flatMap((member, place) => [place ? ", " : "", others.includes(member) ? h("b", {}, member) : member]);
}
