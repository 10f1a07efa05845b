// The page without a server: rules and opponent are the engine, texts and pictures the game's own Python.

const byId = (id) => document.getElementById(id);
const manifest = JSON.parse(byId("manifest").textContent);

function bytesOf(id) {
  const letters = atob(byId(id).textContent.trim());
  const bytes = new Uint8Array(letters.length);
  for (let i = 0; i < letters.length; i++) bytes[i] = letters.charCodeAt(i);
  return bytes;
}

/** The opponent, in a worker, so that the page stays alive while it thinks. */
class Opponent {
  constructor(wasm) {
    const source = byId("engine").textContent + byId("worker").textContent;
    this.worker = new Worker(URL.createObjectURL(new Blob([source], { type: "text/javascript" })));
    this.waiting = new Map();
    this.count = 0;
    this.worker.onmessage = ({ data }) => {
      if (data.ready || !this.waiting.has(data.id)) return;
      const { resolve, reject } = this.waiting.get(data.id);
      this.waiting.delete(data.id);
      data.error ? reject(new Error(data.error)) : resolve(data.decision);
    };
    this.worker.postMessage({ wasm, manifest });
  }

  decide(state, budget) {
    const id = ++this.count;
    this.worker.postMessage({ id, state, budget });
    return new Promise((resolve, reject) => this.waiting.set(id, { resolve, reject }));
  }
}

/** The game's own words and pictures, run by Brython. */
class Presentation {
  constructor(python) {
    this.python = python;
  }

  record(game) {
    return this.python.read(Array.from(game.record()));
  }

  describe(record, action) {
    return String(this.python.describe(record, action));
  }

  draw(record, seat, toggled) {
    const touch = matchMedia("(pointer: coarse)").matches;
    const width = Math.max(byId("board").clientWidth, 320); // a page that nobody sees yet has none
    return String(this.python.draw(record, seat, width, touch, toggled));
  }
}

class Table {
  constructor(engine, opponent, presentation) {
    Object.assign(this, { engine, opponent, presentation, game: null, run: 0 });
    this.toggled = new Set(); // seats whose things somebody has opened or folded up
    this.drawn = 0; // how wide the picture is
    new ResizeObserver(() => byId("board").clientWidth !== this.drawn && this.refresh?.()).observe(byId("board"));
    byId("board").addEventListener("click", (event) => {
      const line = /** @type {Element} */ (event.target).closest("[data-fold]");
      if (!line) return;
      const seat = Number(/** @type {HTMLElement} */ (line).dataset.fold);
      if (!this.toggled.delete(seat)) this.toggled.add(seat);
      this.refresh?.();
    });
  }

  async start() {
    const run = ++this.run;
    this.game?.free();
    this.seat = Number(byId("seat").value);
    this.game = this.engine.newGame({ seats: this.seats, options: this.options() });
    this.history = [];
    byId("log").replaceChildren();
    byId("thoughts").replaceChildren();
    await this.goOn(run);
  }

  get seats() {
    return Number(byId("seats")?.value ?? manifest.agent_seats[0]);
  }

  options() {
    return Object.fromEntries(
      [...document.querySelectorAll("[data-option]")].map((field) => [field.dataset.option, Number(field.value)]),
    );
  }

  /** Let the others move until it is the person's turn, or the game is over. */
  async goOn(run) {
    while (run === this.run && !this.game.isTerminal && this.game.player !== this.seat) {
      this.show("thinking …");
      const state = this.game.bytes();
      const share = Number(byId("level").value);
      const iterations = Math.max(1, Math.round(manifest.iterations * share));
      const { action, reasons } = await this.opponent.decide(state, { iterations });
      if (run !== this.run) return;
      this.think(reasons);
      this.play(action);
    }
    if (run !== this.run) return;
    const legal = this.game.isTerminal ? [] : this.game.legalActions;
    if (legal.length === 1) {
      this.play(legal[0]);
      return this.goOn(run);
    }
    this.show(this.game.isTerminal ? this.result() : "Your turn", legal);
  }

  /** Play an action, and write it into the log as the person may see it. */
  play(action) {
    const seat = this.game.player;
    const seen = seat === this.seat || this.game.actionObservation(action, this.seat) === action;
    const text = seen ? this.words(action) : "chooses in secret";
    this.history.push(action);
    this.game.apply(action);
    const line = document.createElement("li");
    line.textContent = `${this.name(seat)}: ${text}`;
    byId("log").prepend(line);
  }

  /** An action as the person sees it. */
  words(action) {
    const observed = this.game.observe(this.seat);
    const text = this.presentation.describe(this.presentation.record(observed), action);
    observed.free();
    return text;
  }

  name(seat) {
    return seat === this.seat ? "You" : manifest.seat_names[seat] ?? `Seat ${seat + 1}`;
  }

  result() {
    const scores = this.game.scores;
    const returns = this.game.returns;
    const best = Math.max(...returns);
    const winners = returns.map((value, seat) => (value === best ? this.name(seat) : "")).filter(Boolean);
    const verdict = winners.length === returns.length ? "A draw" : `${winners.join(" and ")} won`;
    return `${verdict}. Points: ${scores.map((score, seat) => `${this.name(seat)} ${score}`).join(", ")}`;
  }

  think(reasons) {
    const seen = ({ action }) => this.game.actionObservation(action, this.seat) === action;
    const rows = (reasons.every(seen) ? reasons.slice(0, 5) : []).map(({ action, value, visits, prior }) => {
      const line = document.createElement("li");
      const parts = [value === null ? "" : `expects ${value.toFixed(2)}`, visits ? `${visits} visits` : ""];
      parts.push(prior === null ? "" : `prior ${(100 * prior).toFixed(0)} %`);
      line.textContent = `${this.words(action)}: ${parts.filter(Boolean).join(", ")}`;
      return line;
    });
    byId("thoughts").replaceChildren(...rows);
  }

  show(status, legal = []) {
    this.refresh = () => this.show(status, legal);
    const observed = this.game.observe(this.seat);
    const record = this.presentation.record(observed);
    byId("status").textContent = status;
    document.body.dataset.turn = legal.length ? "you" : "other";
    document.body.dataset.over = String(this.game.isTerminal);
    this.drawn = byId("board").clientWidth;
    byId("board").innerHTML = this.presentation.draw(record, this.seat, [...this.toggled]);
    const buttons = legal.map((action) => {
      const button = document.createElement("button");
      button.textContent = this.presentation.describe(record, action);
      button.dataset.choice = action;
      button.onclick = () => this.choose(action);
      return button;
    });
    byId("choices").replaceChildren(...buttons);
    observed.free();
    const allowed = new Set(legal);
    for (const thing of byId("board").querySelectorAll("[data-action]")) {
      const actions = thing.dataset.action.split(" ").map(Number).filter((action) => allowed.has(action));
      if (!actions.length) continue;
      thing.classList.add("playable");
      thing.onclick = () => (actions.length === 1 ? this.choose(actions[0]) : this.narrow(actions));
    }
  }

  /** Of several actions that one thing stands for, show these alone. */
  narrow(actions) {
    for (const button of byId("choices").children) button.hidden = !actions.includes(Number(button.dataset.choice));
  }

  async choose(action) {
    const run = this.run;
    if (this.game.player !== this.seat || !this.game.legalActions.includes(action)) return;
    this.play(action);
    await this.goOn(run);
  }
}

function selectOf(parent, label, id, entries, chosen) {
  const field = document.createElement("label");
  const select = document.createElement("select");
  select.id = id;
  for (const [value, text] of entries) select.append(new Option(text, value, false, value === chosen));
  field.append(`${label} `, select);
  parent.append(field);
  return select;
}

function settings() {
  const form = byId("settings");
  if (manifest.levels.length > 1) {
    selectOf(form, "Level", "level", manifest.levels.map(([name, share]) => [String(share), name]), "1");
  } else {
    form.insertAdjacentHTML("beforeend", '<input type="hidden" id="level" value="1">');
  }
  if (manifest.agent_seats.length > 1) {
    selectOf(form, "Players", "seats", manifest.agent_seats.map((n) => [String(n), String(n)]));
  }
  const most = Math.max(...manifest.agent_seats);
  const seats = Array.from({ length: most }, (_, seat) => [String(seat), manifest.seat_names[seat] ?? `Seat ${seat + 1}`]);
  selectOf(form, "You are", "seat", seats, "0");
  const variants = Object.entries(manifest.options).filter(([, { choices, kind }]) => choices.length && kind === "option");
  if (!variants.length) return;
  const folded = document.createElement("details");
  folded.innerHTML = "<summary>Variants</summary>";
  form.append(folded);
  for (const [name, option] of variants) {
    const entries = option.choices.map((choice, place) => [String(place), choice]);
    selectOf(folded, name.replaceAll("_", " "), `option-${name}`, entries, String(option.default)).dataset.option = name;
  }
}

async function begin() {
  settings();
  const wasm = bytesOf("wasm");
  const engine = await Engine.open(wasm, manifest);
  const table = new Table(engine, new Opponent(wasm), new Presentation(await globalThis.presentation));
  globalThis.boardwrightTable = table;
  byId("new").onclick = () => table.start();
  await table.start();
  document.body.dataset.ready = "true";
}

begin().catch((error) => {
  byId("status").textContent = `The game could not be opened: ${error.message}`;
});
if ("serviceWorker" in navigator && location.protocol.startsWith("http")) navigator.serviceWorker.register("sw.js");
