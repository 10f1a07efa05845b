// Small helpers for building pages. Text always goes in as text, never as markup.

export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name in element && name !== "list") element[name] = value;
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...flattened(children));
  return element;
}

export function svg(tag, attributes = {}, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

export function fill(element, ...children) {
  element.replaceChildren(...flattened(children));
}

// An agent's spec, which may break into lines between its parameters, and nowhere else where these fit.
export const specText = (spec) => h("span", { className: "spec" }, spec.split(/(?<=[,:])/).map((part, place) => [place ? h("wbr") : null, part]));

export const cut = (name, longest) => (name.length > longest ? `${name.slice(0, longest - 1)}…` : name);

// Children may come in lists within lists; null stands for nothing.
const flattened = (children) => children.flat(Infinity).filter((child) => child !== null && child !== undefined);

// Fill an element anew; whoever is in it by keyboard stays where they were, as far as that is still there.
export function refill(element, ...children) {
  const inside = () => [...element.querySelectorAll("button, input, select, a")];
  const place = inside().indexOf(document.activeElement);
  if (place >= 0) element.lastFocus = place;
  const was = place >= 0 || document.activeElement === element;
  fill(element, ...children);
  if (!was) return;
  const now = inside().filter((child) => !child.disabled);
  (now[Math.min(element.lastFocus ?? 0, now.length - 1)] || element).focus({ preventScroll: true });
}

/** @returns {any} an element, whose kind its caller knows */
export const byId = (id) => document.getElementById(id);

let toastTimer;

export function toast(text) {
  let box = byId("toast");
  if (!box) {
    box = h("div", { id: "toast", className: "toast", role: "alert" });
    document.body.append(box);
  }
  box.textContent = text;
  clearTimeout(toastTimer);
  toastTimer = setTimeout(() => box.remove(), 6000);
}

// Into the clipboard; where the browser does not let a page do that, the text is at least marked.
export async function copyText(field) {
  field.select();
  const done = navigator.clipboard ? await navigator.clipboard.writeText(field.value).then(() => true, () => false) : document.execCommand("copy");
  toast(done ? "Copied." : "Press Ctrl-C to copy what is marked.");
}

export const SEAT_COLOURS = ["#0072b2", "#e69f00", "#009e73", "#b0619a", "#d55e00", "#56b4e9", "#8a5a2b", "#8b93a1"];

export function dot(seat) {
  const element = h("span", { className: "dot" });
  element.style.background = SEAT_COLOURS[seat % SEAT_COLOURS.length];
  return element;
}
