// What an agent thinks: its options with value and attention as bars, and the cases it was reminded of.

import { h, fill } from "./dom.js";

const MOST = 12;

export function showReasons(element, thought, title) {
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
