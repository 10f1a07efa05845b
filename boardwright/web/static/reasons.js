// What an agent thinks: its options with value, visits and prior, and the cases it was reminded of.

import { h, fill } from "./dom.js";

const MOST = 12;
const MOST_CASES = 4;

// `rename`: seats by their names.
/** @param {any} element @param {import("./messages").Decision | null} decision */
export function showReasons(element, decision, title = "", rename = (text) => text) {
  if (decision && element.shows === decision) return; // somebody may be reading a case
  element.shows = decision;
  if (!decision) {
    fill(element);
    return;
  }
  const best = decision.reasons.find((option) => option.action === decision.action);
  const rest = decision.reasons.filter((option) => option !== best);
  const options = [...(best ? [best] : []), ...rest].slice(0, MOST);
  fill(
    element,
    h("p", {}, h("b", {}, title), ` ${rename(decision.text)}`),
    legend(decision.reasons),
    h(
      "div",
      { className: "reasons", tabIndex: 0, role: "region", ariaLabel: "options" },
      options.map((option) => reason({ ...option, text: rename(option.text) }, option.action === decision.action)),
    ),
    decision.reasons.length > MOST ? h("p", { className: "faint small" }, `and ${decision.reasons.length - MOST} more`) : null,
    h("p", { className: "faint small" }, [decision.summary, / ms$/.test(decision.summary) ? "" : `${decision.seconds.toFixed(2)} s`].filter(Boolean).join(" · ")),
  );
}

function reason(option, best) {
  const value = option.value === null ? "" : `${option.value >= 0 ? "+" : ""}${option.value.toFixed(3)}`;
  const parts = [h("span", {}, option.text), h("span", { className: "value" }, value)];
  const figures = [];
  if (option.visits !== null) figures.push(`${option.visits.toLocaleString("en")} visit${option.visits === 1 ? "" : "s"}`);
  if (option.weight !== null) figures.push(percent(option.weight));
  if (option.prior !== null) figures.push(`prior ${percent(option.prior)}`);
  if (option.weight !== null) {
    const bar = h("div", { className: "fill" });
    bar.style.width = `${100 * Math.min(1, Math.max(0, option.weight))}%`;
    parts.push(h("div", { className: "track", ariaHidden: "true" }, bar));
  }
  if (figures.length) parts.push(h("div", { className: "faint small figures" }, figures.join(" · ")));
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
/** @param {any} element @param {import("./messages").Decision | null} decision */
export function showCases(element, decision) {
  const cases = decision?.cases || [];
  if (element.shows === decision) return;
  element.shows = decision;
  if (!cases.length) {
    fill(element);
    return;
  }
  const near = cases.slice(0, MOST_CASES);
  if (near.some((one) => one.picture)) {
    fill(element, h("h2", {}, "Remembered situations"), h("div", { className: "remembered" }, near.map(situation)));
    return;
  }
  const features = near[0].features.map(({ name, here }) => ({ name, here, there: near.map((one) => one.features.find((feature) => feature.name === name) ?? { name, here, there: [], distance: null }) }));
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

// A situation as its seat saw it. A picture in an image cannot be clicked, and knows nothing of the page.
function situation(one) {
  const means = one.means === one.done ? "" : ` (here: ${one.means})`;
  const source = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(one.picture)}`;
  return h("figure", {}, h("img", { src: source, alt: one.text }), h("figcaption", { className: "small" }, `chose ${one.done}${means}`, h("div", { className: "faint" }, `${one.title}; ${one.distance.toFixed(1)} away`)));
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
