// What was tried in study: a tree of moves whose first branch is the game as it was played, with comments and arrows at
// its positions. It is kept in this browser, and goes into the files that the page writes (Note in arena/record.py).

import { dot, fill, h } from "./dom.js";

const MOST_KEPT = 60; // studies; the oldest are forgotten
const KEPT = "study:";

const newNode = (action) => ({ action, children: [], comment: "", arrows: [], text: "", seat: null });

export class Tree {
  // `game`: how it began, its `actions` and `agents`.
  constructor(game) {
    this.game = game;
    this.played = game.actions;
    this.root = newNode(null);
    this.add(this.played);
    this.addNotes(game.notes || []);
    this.addNotes(JSON.parse(localStorage.getItem(this.key) || "{}").notes || []);
  }

  get key() {
    const { game, seats, seed, options, position, actions } = this.game;
    return KEPT + digest(JSON.stringify([game, seats, seed, options, position, actions]));
  }

  // The positions on the way, the last one last.
  way(actions) {
    const found = [this.root];
    for (const action of actions) {
      let next = found.at(-1).children.find((child) => child.action === action);
      if (!next) {
        next = newNode(action);
        found.at(-1).children.push(next);
      }
      found.push(next);
    }
    return found;
  }

  add(actions) {
    return this.way(actions).at(-1);
  }

  // Forget the position after these moves, and what follows; the game as it was played stays.
  remove(actions) {
    const way = this.way(actions);
    way.at(-2).children = way.at(-2).children.filter((child) => child !== way.at(-1));
    this.keep();
  }

  // How many moves these have in common with the game as it was played.
  common(actions) {
    let move = 0;
    while (move < actions.length && actions[move] === this.played[move]) move += 1;
    return move;
  }

  // Everything but the game itself, as files keep it: what was noted, and where branches end.
  notes() {
    const found = [];
    const walk = (node, actions) => {
      const move = this.common(actions);
      const branch = actions.slice(move);
      if (node.comment || node.arrows.length || (branch.length && !node.children.length)) found.push({ move, branch, comment: node.comment, arrows: node.arrows });
      for (const child of node.children) walk(child, [...actions, child.action]);
    };
    walk(this.root, []);
    return found;
  }

  addNotes(notes) {
    for (const { move, branch, comment, arrows } of notes) {
      const node = this.add([...this.played.slice(0, move), ...branch]);
      if (comment) node.comment = comment;
      if (arrows?.length) node.arrows = arrows;
    }
  }

  keep() {
    const notes = this.notes();
    if (!notes.length) localStorage.removeItem(this.key);
    else localStorage.setItem(this.key, JSON.stringify({ ...this.game, notes, when: Date.now() }));
    for (const [key] of studies().slice(MOST_KEPT)) localStorage.removeItem(key);
  }

  // The branches whose moves are not in words yet, each from the beginning.
  unnamed() {
    const found = [];
    const walk = (node, actions) => {
      if (!node.children.length && actions.length && !node.text) found.push(actions);
      for (const child of node.children) walk(child, [...actions, child.action]);
    };
    walk(this.root, []);
    return found;
  }

  name(actions, log) {
    this.way(actions).slice(1).forEach((node, move) => log[move] && Object.assign(node, { text: log[move].text, seat: log[move].seat }));
  }

  // The branches as lists within lists. `now`: the moves that are shown; `jump(actions)` goes to the end of some.
  draw(element, now, names, jump) {
    const shown = this.add(now);
    const row = (node, actions) =>
      h(
        "button",
        { className: node === shown ? "link now" : "link", onclick: () => jump(actions) },
        `${actions.length}. `,
        node.seat === null ? null : dot(node.seat),
        node.seat === null ? `action ${node.action}` : `${names[node.seat]}: ${node.text}`,
        node.comment ? h("span", { className: "faint" }, ` “${node.comment.slice(0, 60)}”`) : null,
      );
    const line = (node, actions) => {
      const rows = [h("li", {}, row(node, actions))];
      let [at, way] = [node, actions];
      while (at.children.length) {
        const [first, ...others] = at.children;
        rows.push(...others.map((child) => h("li", {}, h("ul", {}, line(child, [...way, child.action])))));
        way = [...way, first.action];
        at = first;
        rows.push(h("li", {}, row(at, way)));
      }
      return rows;
    };
    const branches = [];
    this.way(this.played).forEach((node, move) => {
      for (const child of node.children) {
        if (child.action !== this.played[move]) branches.push(h("ul", {}, line(child, [...this.played.slice(0, move), child.action])));
      }
    });
    fill(element, branches.length ? branches : h("p", { className: "small faint" }, "Choose another move on the board: it becomes a branch, which is kept here."));
  }
}

// What this browser keeps, the newest first: [key, game] each.
export function studies() {
  return Object.keys(localStorage)
    .filter((key) => key.startsWith(KEPT))
    .map((key) => /** @type {[string, any]} */ ([key, JSON.parse(localStorage.getItem(key) || "{}")]))
    .sort(([, one], [, other]) => other.when - one.when);
}

export function forgetStudies() {
  for (const [key] of studies()) localStorage.removeItem(key);
}

// FNV-1a, in two halves: it tells one game from another.
function digest(text) {
  let [one, other] = [0x811c9dc5, 0x01000193];
  for (let place = 0; place < text.length; place += 1) {
    one = Math.imul(one ^ text.charCodeAt(place), 0x01000193);
    other = Math.imul(other ^ text.charCodeAt(text.length - 1 - place), 0x01000193);
  }
  return ((one >>> 0).toString(16) + (other >>> 0).toString(16)).padStart(16, "0");
}
