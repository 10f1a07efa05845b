// Small helpers for building pages. Text always goes in as text, never as markup.

export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name in element && name !== "list") element[name] = value;
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return element;
}

export function svg(tag, attributes = {}, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

export function fill(element, ...children) {
  element.replaceChildren(...children.flat().filter((child) => child !== null && child !== undefined));
}

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

export const SEAT_COLOURS = ["#0072b2", "#e69f00", "#009e73", "#b0619a", "#d55e00", "#56b4e9", "#8a5a2b", "#8b93a1"];

export function dot(seat) {
  const element = h("span", { className: "dot" });
  element.style.background = SEAT_COLOURS[seat % SEAT_COLOURS.length];
  return element;
}
