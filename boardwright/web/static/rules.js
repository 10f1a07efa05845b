// How a game is played: one screen with pictures, every icon by its name, every card in words, and the rules.

import { bar } from "./page.js";
import { fill, h, toast } from "./dom.js";
import { get } from "./api.js";

bar();
const main = h("main", { className: "rules" });
document.body.append(main);
const game = location.pathname.split("/").pop();

get(`/api/games/${game}/guide`).then(show, (error) => toast(error.message));

// Pictures and rules come from the server's own files; scripts in them would not run (security.py).
function markup(text, kind) {
  const parsed = new DOMParser().parseFromString(text, kind);
  return kind === "text/html" ? [...parsed.body.childNodes] : [document.importNode(parsed.documentElement, true)];
}

function show(guide) {
  document.title = `How to play ${guide.title} · Boardwright`;
  const cards = Object.entries(guide.cards);
  fill(
    main,
    h("h1", {}, `How to play ${guide.title}`),
    h("p", { className: "aim" }, guide.aim),
    h("div", { className: "steps-grid" }, guide.steps.map((step, place) => h("section", { className: "panel" }, h("h2", {}, h("span", { className: "number" }, place + 1), step.title), h("p", {}, step.text)))),
    guide.icons.length ? h("section", { className: "panel" }, h("h2", {}, "What the icons mean"), h("ul", { className: "icons" }, guide.icons.map((icon) => h("li", {}, markup(icon.picture, "image/svg+xml"), h("span", {}, icon.name))))) : null,
    h("div", { className: "row" }, h("a", { className: "button main", href: `/?game=${guide.name}` }, "Play"), guide.rules ? h("a", { className: "button", href: "#rules" }, "The rules in full") : null, cards.length ? h("a", { className: "button", href: "#cards" }, "All cards") : null),
    guide.picture ? h("section", { className: "panel picture", ariaLabel: "A position" }, h("h2", {}, "A position"), h("div", { className: "scroll", tabIndex: 0, role: "region", ariaLabel: "A position" }, markup(guide.picture, "image/svg+xml"))) : null,
    guide.in_short.length ? h("section", { className: "panel" }, h("h2", {}, "The rules in short"), guide.in_short.map((text) => h("p", {}, text))) : null,
    cards.length ? h("section", { className: "panel", id: "cards" }, h("h2", {}, "All cards"), search(cards)) : null,
    guide.rules ? h("section", { className: "panel rules-text", id: "rules" }, markup(guide.rules, "text/html")) : null,
  );
  if (location.hash) document.querySelector(location.hash)?.scrollIntoView();
}

function search(cards) {
  const list = h("dl", { className: "cards-list" });
  const field = h("input", { type: "text", id: "card-search", placeholder: "search", ariaLabel: "search the cards" });
  const find = () => {
    const wanted = field.value.trim().toLowerCase();
    fill(list, cards.filter(([name, text]) => `${name} ${text}`.toLowerCase().includes(wanted)).map(([name, text]) => [h("dt", {}, name), h("dd", {}, text)]));
  };
  field.oninput = find;
  find();
  return [field, list];
}
