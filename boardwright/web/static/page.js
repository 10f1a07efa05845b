// What all pages have: the bar on top, and the theme.

import { h } from "./dom.js";

const chosen = localStorage.getItem("theme");
const dark = chosen ? chosen === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
document.documentElement.dataset.theme = dark ? "dark" : "light";

export function bar(...more) {
  const theme = h("button", { title: "Light or dark", ariaLabel: "Light or dark theme", onclick: switchTheme }, "◐");
  const header = h(
    "header",
    { className: "bar" },
    h("a", { href: "/", className: "name" }, "Boardwright"),
    h("nav", {}, h("a", { href: "/" }, "Play"), h("a", { href: "/study" }, "Study"), h("a", { href: "/puzzles" }, "Puzzles"), h("a", { href: "/match" }, "Matches")),
    ...more,
    h("span", { className: "space" }),
    theme,
  );
  document.body.prepend(header);
}

function switchTheme() {
  const next = document.documentElement.dataset.theme === "dark" ? "light" : "dark";
  document.documentElement.dataset.theme = next;
  localStorage.setItem("theme", next);
}
