// What an agent thinks: its options with value and attention as bars, and the cases it was reminded of.

import { h, fill } from "./dom.js";

const MOST = 12;

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
    cases(thought.cases),
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

// The cases that the agent was reminded of, each beside this position.
function cases(remembered) {
  if (!remembered?.length) return null;
  return h("div", { className: "remembered" }, h("h3", {}, "Remembered cases"), remembered.map((one, place) => besideThis(one, place === 0)));
}

function besideThis(one, open) {
  const means = one.means === one.done ? "" : `, here ${one.means}`;
  const head = h("summary", {}, h("b", {}, `chose ${one.done}${means}`), h("span", { className: "faint small" }, ` ${one.title}, ${one.distance.toFixed(2)} away`));
  if (!one.features.length) return h("p", {}, [...head.childNodes]);
  const matches = one.features.filter((feature) => feature.distance === 0);
  const others = one.features.filter((feature) => feature.distance !== 0);
  return h(
    "details",
    { open },
    head,
    h(
      "table",
      { className: "compared" },
      h("thead", {}, h("tr", {}, h("th", {}, ""), h("th", {}, "this position"), h("th", {}, "that case"), h("th", { title: "what the difference adds to the distance" }, "differs by"))),
      h("tbody", {}, others.map(compared)),
    ),
    matches.length ? h("p", { className: "small" }, h("b", {}, "The same: "), matches.map((feature) => `${feature.name} ${feature.here.join(", ") || "none"}`).join("; ")) : null,
  );
}

function compared(feature) {
  const cost = feature.distance === null ? "" : feature.distance.toFixed(2);
  return h("tr", {}, h("th", { scope: "row" }, feature.name), h("td", {}, members(feature.here, feature.there)), h("td", {}, members(feature.there, feature.here)), h("td", { className: "value" }, cost));
}

// What both have stands out.
function members(own, others) {
  if (!own.length) return "–";
  return own.flatMap((member, place) => [place ? ", " : "", own.length > 1 && others.includes(member) ? h("b", {}, member) : member]);
}
