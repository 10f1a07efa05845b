// The board: a game's own drawing, in which whatever carries a legal action can be clicked or chosen by keyboard.

import { h, svg } from "./dom.js";
import { moveFrom, placesOf } from "./motion.js";
import { nameSeats } from "./names.js";

export class Board {
  // `choose(action)` is called with what somebody has chosen.
  constructor(element, choose) {
    this.element = element;
    this.choose = choose;
    /** @type {any} */
    this.picture = null; // an SVG, or nothing where only text may be shown
    /** @type {any} */
    this.keys = null; // the things that were on the table when one last chose
    this.choices = new Map(); // actions that are legal, with their descriptions
    this.shown = this.offered = ""; // the picture and the choices that are on the page
    /** @type {any} */
    this.menu = null;
    this.picked = null; // the thing that was clicked first, where a second one is to be chosen
    /** @type {number | null} */
    this.best = null; // the action that an agent would choose
    this.waiting = null; // where the keyboard was when nothing could be chosen any more
    this.rename = (text, longest = Infinity) => text; // `longest`: letters of a name
    element.tabIndex = 0;
    element.setAttribute("role", "region");
    element.setAttribute("aria-label", "The board");
    document.addEventListener("click", (event) => {
      if (!this.menu?.contains(event.target)) this.closeMenu();
    });
    document.addEventListener("keydown", (event) => {
      if (event.key === "Escape") this.closeMenu();
    });
  }

  show(picture, text, choices) {
    const offered = JSON.stringify(choices);
    const same = picture === this.shown && this.picture;
    if (same && offered === this.offered) return; // somebody may be choosing
    this.closeMenu();
    this.set = this.best = null;
    const focused = this.focused() || (this.element === document.activeElement ? this.waiting : null);
    const asksAnew = offered !== this.offered; // and is not only drawn anew, for another width
    this.offered = offered;
    this.choices = new Map(choices.map((choice) => [choice.action, choice.text]));
    if (!same) this.draw(picture, text);
    if (this.picture) this.markLegal();
    this.focusAgain(focused);
    if (asksAnew || !choices.length) this.element.dispatchEvent(new Event("shown"));
  }

  // Where the keyboard was: on a thing of the picture, which may be drawn anew.
  focused() {
    const thing = document.activeElement;
    if (this.menu?.contains(thing)) return this.at(this.opener);
    return this.picture?.contains(thing) ? this.at(thing) : null;
  }

  at(thing) {
    return { key: thing.dataset.key, action: thing.dataset.action, place: this.clickable().indexOf(thing) };
  }

  // The same thing, or one with the same meaning, or whatever can be chosen where it was.
  focusAgain(where) {
    if (!where || !this.picture) return;
    const things = this.clickable();
    const next =
      things.find((thing) => where.key && thing.dataset.key === where.key) ||
      things.find((thing) => where.action && thing.dataset.action === where.action) ||
      things[Math.min(where.place, things.length - 1)];
    if (next) next.focus({ preventScroll: true });
    else if (this.menu === null) {
      this.waiting = where; // nothing can be chosen now; later there may be
      this.element.focus({ preventScroll: true });
    }
  }

  clickable() {
    return [...this.picture.querySelectorAll(".can")];
  }

  // Several things at once: `keys` names them in the picture, `toggle(place)` is called when one is clicked.
  showSet(keys, toggle, asked) {
    if (!this.picture) return;
    this.set = keys;
    for (const thing of this.picture.querySelectorAll("[data-action]")) this.unmark(thing);
    keys.forEach((key, place) => {
      const thing = this.thing(key);
      if (!thing) return;
      this.mark(thing, "checkbox", `${asked.verb} ${asked.items[place].text}`, () => toggle(place));
    });
  }

  markChosen(chosen) {
    this.set?.forEach((key, place) => {
      const thing = this.thing(key);
      thing?.classList.toggle("picked", chosen.has(place));
      thing?.setAttribute("aria-checked", chosen.has(place));
    });
  }

  thing(key) {
    return this.picture?.querySelector(`[data-key="${CSS.escape(key)}"]`);
  }

  draw(picture, text) {
    this.shown = picture;
    this.picture = null;
    if (!picture) {
      const shown = text || "What is on this table is for those who play; it opens when the game is over.";
      this.element.replaceChildren(h("pre", { className: "text" }, shown));
      return;
    }
    const parsed = new DOMParser().parseFromString(picture, "image/svg+xml").documentElement;
    const places = placesOf(this.onPage());
    this.picture = document.importNode(parsed, true);
    this.picture.classList.add("position");
    const { width, height } = this.picture.viewBox.baseVal;
    this.picture.style.setProperty("--shape", width / height);
    this.picture.style.setProperty("--natural", `${width}px`);
    this.picture.setAttribute("role", "group");
    for (const title of this.picture.querySelectorAll("title")) title.textContent = this.rename(title.textContent);
    this.picture.removeAttribute("width");
    this.picture.removeAttribute("height");
    for (const title of this.picture.querySelectorAll("title")) this.describe(title);
    this.element.replaceChildren(this.picture);
    nameSeats(this.picture, this.rename);
    for (const line of this.picture.querySelectorAll("[data-fold]")) foldable(line);
    this.markNew();
    moveFrom(places, this.picture);
  }

  // The picture that is on the page.
  onPage() {
    return this.element.querySelector("svg.position");
  }

  // What a thing is, for the panel that explains it and for screen readers; browsers' own tooltips would be in the way.
  describe(title) {
    const thing = title.parentElement;
    thing.dataset.about = title.textContent;
    title.remove();
    if (!thing.hasAttribute("role")) {
      thing.setAttribute("role", "img");
      thing.setAttribute("aria-label", thing.dataset.about);
    }
  }

  // The things whose keys begin so: a tip is about them.
  point(beginning) {
    for (const thing of this.keyed()) if (thing.dataset.key.startsWith(beginning) && !thing.classList.contains("can")) thing.append(frame(thing, "pointed"));
  }

  markLegal() {
    for (const thing of this.picture.querySelectorAll("[data-action]")) {
      this.unmark(thing);
      const actions = this.legal(thing);
      if (actions.length) this.mark(thing, "button", this.meaning(actions), () => this.take(thing, actions));
    }
  }

  legal(thing) {
    return actionsOf(thing).filter((action) => this.choices.has(action));
  }

  // In words, with what an agent would choose.
  meaning(actions) {
    return actions.map((action) => `${this.choices.get(action)}${action === this.best ? BEST : ""}`).join("; or ");
  }

  mark(thing, role, label, act) {
    thing.classList.add("can");
    thing.append(frame(thing, "halo"));
    thing.setAttribute("tabindex", "0");
    thing.setAttribute("role", role);
    thing.setAttribute("aria-label", label);
    this.onTaken(thing, act);
  }

  onTaken(thing, act) {
    thing.onclick = (event) => {
      event.stopPropagation();
      event.preventDefault();
      if (!(event.detail > 1)) act(); // the second half of a double click
    };
    thing.onkeydown = (event) => (event.key === "Enter" || event.key === " ") && !event.repeat && thing.onclick(event);
  }

  unmark(thing) {
    thing.querySelector(":scope > .halo")?.remove();
    thing.classList.remove("can", "picked", "partner");
    for (const name of ["tabindex", "role", "aria-label", "aria-checked"]) thing.removeAttribute(name);
    if (thing.dataset.about) {
      thing.setAttribute("role", "img");
      thing.setAttribute("aria-label", thing.dataset.about);
    }
    thing.onclick = thing.onkeydown = null;
  }

  take(thing, actions) {
    const picked = this.picked;
    this.closeMenu();
    if (picked === thing) return; // a second click puts it back
    if (actions.length === 1) {
      this.choose(actions[0]);
      return;
    }
    if (this.pick(thing, actions)) return;
    const place = thing.getBoundingClientRect();
    this.opener = thing;
    this.menu = h(
      "div",
      { className: "menu panel", role: "menu" },
      actions.map((action) =>
        h("button", { role: "menuitem", onclick: () => { this.closeMenu(); this.choose(action); } }, this.meaning([action])),
      ),
    );
    document.body.append(this.menu);
    const left = Math.min(place.left, innerWidth - this.menu.offsetWidth - 8);
    const below = place.bottom + this.menu.offsetHeight < innerHeight;
    this.menu.style.left = `${Math.max(8, left) + scrollX}px`;
    this.menu.style.top = `${(below ? place.bottom : Math.max(8, place.top - this.menu.offsetHeight)) + scrollY}px`;
    this.menu.firstChild.focus();
  }

  // Where every action of a thing is also about one other thing, as a card about the squares that it may go to, that
  // thing is chosen next, on the board; no menu is needed. Returns whether it is so.
  pick(thing, actions) {
    const partners = new Map();
    for (const other of this.picture.querySelectorAll(".can")) {
      const shared = actionsOf(other).filter((action) => actions.includes(action));
      if (shared.length === actions.length) continue; // itself, or another card of the same kind
      if (shared.length > 1) return false;
      if (shared.length) partners.set(other, shared[0]);
    }
    if (new Set(partners.values()).size !== actions.length) return false;
    this.picked = thing;
    this.picture.classList.add("picking");
    thing.classList.add("picked");
    for (const [other, action] of partners) {
      other.classList.add("partner");
      this.onTaken(other, () => {
        this.closeMenu();
        this.choose(action);
      });
    }
    partners.keys().next().value.focus();
    return true;
  }

  closeMenu() {
    const inMenu = this.menu?.contains(document.activeElement);
    this.menu?.remove();
    this.menu = null;
    if (inMenu) this.opener.focus({ preventScroll: true });
    if (!this.picked) return;
    this.picked = null;
    this.picture?.classList.remove("picking");
    this.picture?.querySelectorAll(".picked, .partner").forEach((thing) => thing.classList.remove("picked", "partner"));
    if (this.picture) this.markLegal();
  }

  // What lies on the table now is known; what comes later is new.
  remember() {
    if (!this.picture) return;
    this.keys = new Set(this.keyed().map((thing) => thing.dataset.key));
  }

  markNew() {
    if (!this.keys) return;
    for (const thing of this.keyed()) {
      if (!this.keys.has(thing.dataset.key)) thing.append(frame(thing, "fresh"));
    }
  }

  keyed() {
    return this.picture ? [...this.picture.querySelectorAll("[data-key]")] : [];
  }

  // The things that an agent would choose together.
  adviseSet(places) {
    this.advise(null);
    for (const place of places) {
      const thing = this.set && this.thing(this.set[place]);
      if (!thing) continue;
      this.badge(thing, "advice best", "✓");
      thing.setAttribute("aria-label", `${thing.getAttribute("aria-label")}${BEST}`);
    }
  }

  // An agent's reasons, on the things that stand for its options: the one that it would choose has a ring and a star.
  // Visits of several options of one thing are not added up: a search deals them out as it needs them.
  advise(options, best = null) {
    this.best = best;
    this.picture?.querySelectorAll(".advice").forEach((mark) => mark.remove());
    if (!this.picture) return;
    for (const thing of this.clickable()) thing.setAttribute("aria-label", this.set ? thing.getAttribute("aria-label").replace(BEST, "") : this.meaning(this.legal(thing)));
    if (!options) return;
    const advised = options.find((option) => option.action === best);
    for (const thing of this.picture.querySelectorAll("[data-action]")) {
      const about = options.filter((option) => actionsOf(thing).includes(option.action));
      if (!about.length) continue;
      const isBest = about.includes(advised);
      const shown = isBest ? advised : about.reduce((one, other) => (tried(other) > tried(one) ? other : one));
      if (isBest) thing.append(frame(thing, "advice ring", -RING));
      this.badge(thing, isBest ? "advice best" : "advice", `${isBest ? "★ " : ""}${figure(shown, advised)}`);
    }
  }

  // Within the thing, whose neighbour may be drawn over what is beyond it.
  badge(thing, kind, text) {
    const box = thing.getBBox();
    const width = 12 + 8 * text.length;
    const right = box.x + box.width - 4;
    const mark = svg("g", { class: kind });
    mark.append(svg("rect", { x: right - width, y: box.y - 6, width, height: 20, rx: 6 }));
    const label = svg("text", { x: right - width / 2, y: box.y + 9, "font-size": 13, "text-anchor": "middle" });
    label.textContent = text;
    mark.append(label);
    thing.append(mark);
  }

  // What was chosen and what is right, once that is known.
  markAnswer(chosen, right) {
    this.advise(null);
    for (const thing of this.picture?.querySelectorAll("[data-action]") ?? []) {
      const actions = actionsOf(thing);
      const isRight = actions.includes(right.action);
      if (!isRight && !actions.includes(chosen.action)) continue;
      thing.append(frame(thing, isRight ? "advice ring" : "advice ring wrong", -RING));
      this.badge(thing, isRight ? "advice best" : "advice wrong", isRight ? "✓" : "✗");
      thing.setAttribute("role", "img");
      thing.setAttribute("aria-label", isRight ? `${right.text}: right` : `${chosen.text}: not the best`);
    }
  }
}

const BEST = " (best)";
const RING = 6; // so far within the thing and its frame it goes round

const tried = (option) => option.weight ?? option.value ?? 0;

// What an option is expected to bring; where that is not known, how much of the search or of the policy is for it. An
// option that was tried too little to be chosen in spite of its value has no figure: it would say the opposite.
function figure(option, best) {
  if (option.value !== null) return best?.value !== null && best && option.value > best.value ? "?" : `${option.value >= 0 ? "+" : ""}${option.value.toFixed(2)}`;
  return option.weight === null ? "•" : `${Math.round(100 * option.weight)} %`;
}

function foldable(line) {
  line.setAttribute("role", "button");
  line.setAttribute("tabindex", "0");
  line.setAttribute("aria-label", [...line.querySelectorAll("text")].map((text) => text.textContent).join(", "));
  line.classList.add("foldable");
}

const actionsOf = (thing) => thing.dataset.action.split(" ").map(Number);

// `wider`: so much on each side.
function frame(thing, name, wider = 2) {
  const box = thing.getBBox();
  return svg("rect", { class: name, x: box.x - wider, y: box.y - wider, width: Math.max(0, box.width + 2 * wider), height: Math.max(0, box.height + 2 * wider), rx: 8 });
}
