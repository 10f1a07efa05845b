// What an agent thinks: its options with value and attention as bars, and the cases it was reminded of.

import { h, fill } from "./dom.js";

const MOST = 12;
const MOST_CASES = 4;

export function showReasons(element, thought, title) {
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
    h("p", {}, h("b", {}, title), ` ${thought.text}`),
    h(
      "div",
      { className: "reasons" },
      options.map((option) => reason(option, option.action === thought.action)),
    ),
    thought.options.length > MOST ? h("p", { className: "faint small" }, `and ${thought.options.length - MOST} more`) : null,
    h("p", { className: "faint small" }, [thought.summary, `${thought.seconds.toFixed(2)} s`].filter(Boolean).join(" · ")),
  );
}

function reason(option, best) {
  const bar = h("div", { className: "fill" });
  bar.style.width = `${Math.round(100 * Math.min(1, Math.max(0, option.weight ?? 0)))}%`;
  const value = option.value === null ? "" : `${option.value >= 0 ? "+" : ""}${option.value.toFixed(3)}`;
  const parts = [
    h("span", {}, option.text),
    h("span", { className: "value", title: "what the agent expects, in the game's units" }, value),
  ];
  if (option.weight !== null) {
    const said = `${(100 * option.weight).toFixed(1)} % of its attention` + (option.visits === null ? "" : `, ${option.visits} visits`);
    parts.push(h("div", { className: "track", title: said, role: "img", ariaLabel: said }, bar));
  }
  if (option.note) parts.push(notes(option.note));
  return h("div", { className: best ? "reason best" : "reason" }, parts);
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
      { className: "scroll" },
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
