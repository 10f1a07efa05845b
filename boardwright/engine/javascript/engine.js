// A game of Boardwright and an agent that plays it, in a browser, a worker or Node. No dependencies.
//
//     const engine = await Engine.open(await (await fetch("race.wasm")).arrayBuffer(), manifest);
//     const game = engine.newGame({ seed: 7n, seats: 2 });
//     while (!game.isTerminal) game.apply(engine.decide(game).action);
//     console.log(game.scores);

// @ts-check

export const ABI = 1;

/** What went wrong, with the engine's own code. */
export class EngineError extends Error {
  /** @param {number} code @param {string} text */
  constructor(code, text) {
    super(text);
    this.name = "EngineError";
    this.code = code;
  }
}

/** @param {any} value @returns {bigint} */
function seedOf(value) {
  const seed = BigInt(value);
  if (seed < 0n || seed >= 1n << 64n) throw new RangeError("a seed is a whole number from 0 to 2^64 - 1");
  return BigInt.asIntN(64, seed);
}

function randomSeed() {
  return globalThis.crypto.getRandomValues(new BigUint64Array(1))[0];
}

export class Engine {
  /** Open a library; it is refused if it does not belong to the manifest.
   * @param {BufferSource | WebAssembly.Module} source @param {any} manifest */
  static async open(source, manifest) {
    const module = source instanceof WebAssembly.Module ? source : await compiled(source);
    const names = new Set(WebAssembly.Module.exports(module).map((entry) => entry.name));
    if (!names.has("bw_abi_version") || WebAssembly.Module.imports(module).length) {
      throw new EngineError(0, "this is not an engine of Boardwright");
    }
    const instance = await WebAssembly.instantiate(module, {});
    return new Engine(instance.exports, manifest);
  }

  /** @param {any} exports @param {any} manifest */
  constructor(exports, manifest) {
    this.wasm = exports;
    this.manifest = manifest;
    exports._initialize?.();
    if (exports.bw_abi_version() !== ABI) {
      throw new EngineError(0, `the engine speaks version ${exports.bw_abi_version()}, this file version ${ABI}`);
    }
    if (!manifest || this.text(exports.bw_digest()) !== manifest.digest) {
      throw new EngineError(0, "the manifest does not belong to this engine: their digests differ");
    }
    const size = exports.bw_memory_size();
    this.handle = exports.bw_open(this.allocate(size), size);
    this.stateSize = exports.bw_state_size();
    this.actions = this.allocate(4 * exports.bw_max_legal());
    this.values = this.allocate(8 * 8);
    this.rows = this.allocate(ROW * exports.bw_max_legal());
    this.options = this.allocate(8 * 64);
  }

  /** A game that has just begun.
   * @param {{seed?: bigint | number, seats?: number, options?: Record<string, number>}} settings */
  newGame({ seed = randomSeed(), seats = this.manifest.seats[0], options = {} } = {}) {
    const declared = Object.keys(this.manifest.options);
    for (const name of Object.keys(options)) {
      if (!declared.includes(name)) throw new EngineError(-5, `no option ${name}; there are: ${declared.join(", ")}`);
    }
    const codes = declared.map((name) => BigInt(options[name] ?? this.manifest.options[name].default));
    new BigInt64Array(this.wasm.memory.buffer, this.options, codes.length).set(codes);
    const address = this.allocate(this.stateSize);
    try {
      this.checked(this.wasm.bw_new_game(this.handle, address, seedOf(seed), seats, this.options, codes.length));
    } catch (error) {
      this.wasm.bw_free(address);
      throw error;
    }
    return new Game(this, address);
  }

  /** A game from the bytes that `game.bytes()` gave. @param {Uint8Array} bytes */
  load(bytes) {
    if (bytes.length !== this.stateSize) throw new EngineError(-10, `a state has ${this.stateSize} bytes`);
    const address = this.allocate(this.stateSize);
    new Uint8Array(this.wasm.memory.buffer, address, this.stateSize).set(bytes);
    const game = new Game(this, address);
    this.wasm.bw_player(this.handle, address) < -1 && this.checked(this.wasm.bw_player(this.handle, address));
    return game;
  }

  /** A position from its fields by name, as scripts get it from Boardwright. The caller vouches for it: rules do not
   * check a position that no game can reach. @param {Record<string, any>} fields */
  fromFields(fields) {
    const address = this.allocate(this.stateSize);
    const header = this.manifest.state_header;
    const view = new DataView(this.wasm.memory.buffer, address + header, this.manifest.record_size);
    new Uint8Array(this.wasm.memory.buffer, address, this.stateSize).fill(0);
    pack(view, this.manifest.fields, fields, 0);
    this.checked(this.wasm.bw_adopt(this.handle, address));
    return new Game(this, address);
  }

  /** What the agent would do for the seat to move, which sees no more than it may.
   * @param {Game} game @param {{seed?: bigint | number, iterations?: number, milliseconds?: number}} budget */
  decide(game, { seed = randomSeed(), iterations = 0, milliseconds = 0 } = {}) {
    const { wasm, handle } = this;
    let action;
    if (milliseconds > 0) {
      const end = performance.now() + milliseconds;
      this.checked(wasm.bw_begin(handle, game.address, seedOf(seed)));
      let step = 16;
      do {
        const before = performance.now();
        this.checked(wasm.bw_think(handle, step));
        const took = performance.now() - before;
        step = Math.max(1, Math.min(4 * step, Math.floor((step * 20) / Math.max(took, 0.01)), 1 << 24));
      } while (performance.now() < end);
      action = this.checked(wasm.bw_conclude(handle));
    } else {
      action = this.checked(wasm.bw_decide(handle, game.address, seedOf(seed), iterations));
    }
    return { action, reasons: this.reasons() };
  }

  /** What the agent thought of each action at its last decision, the best first. */
  reasons() {
    const room = this.wasm.bw_max_legal();
    const n = this.checked(this.wasm.bw_reasons(this.handle, this.rows, room));
    const view = new DataView(this.wasm.memory.buffer, this.rows, ROW * n);
    return Array.from({ length: n }, (_, i) => ({
      action: view.getInt32(ROW * i, true),
      visits: view.getInt32(ROW * i + 4, true),
      value: known(view.getFloat64(ROW * i + 8, true)),
      prior: known(view.getFloat64(ROW * i + 16, true)),
    }));
  }

  /** @param {number} code @returns {number} */
  checked(code) {
    if (code < 0) throw new EngineError(code, this.text(this.wasm.bw_error_text(code)));
    return code;
  }

  /** @param {number} size @returns {number} */
  allocate(size) {
    const address = this.wasm.bw_allocate(size);
    if (!address) throw new EngineError(0, `no memory for ${size} bytes`);
    return address;
  }

  /** @param {number} address */
  text(address) {
    const bytes = new Uint8Array(this.wasm.memory.buffer, address);
    return new TextDecoder().decode(bytes.slice(0, bytes.indexOf(0)));
  }
}

const ROW = 24; // bytes of bw_option_weight

/** @param {number} value */
function known(value) {
  return Number.isNaN(value) ? null : value;
}

const WRITERS = {
  i1: "setInt8",
  u1: "setUint8",
  b1: "setUint8",
  i2: "setInt16",
  u2: "setUint16",
  i4: "setInt32",
  u4: "setUint32",
  f4: "setFloat32",
  f8: "setFloat64",
};

/** Write fields by name into a record. @param {DataView} view @param {any[]} fields @param {any} values @param {number} start */
function pack(view, fields, values, start) {
  for (const field of fields) {
    if (!(field.name in values)) throw new EngineError(-2, `the position has no field ${field.name}`);
    const flat = field.shape.length ? [values[field.name]].flat(field.shape.length) : [values[field.name]];
    const size = field.size ?? (field.type === "b1" ? 1 : Number(field.type.slice(1)));
    flat.forEach((value, place) => {
      const at = start + field.offset + place * size;
      if (field.fields) pack(view, field.fields, value, at);
      else if (size === 8 && field.type[0] !== "f") view.setBigUint64(at, BigInt.asUintN(64, BigInt(value)), true);
      else view[WRITERS[field.type]](at, Number(value), true);
    });
  }
}

/** @param {BufferSource} source */
async function compiled(source) {
  try {
    return await WebAssembly.compile(source);
  } catch (error) {
    throw new EngineError(0, `this is not a whole WebAssembly file: ${/** @type {Error} */ (error).message}`);
  }
}

/** A position. `free` gives its memory back; so does the end of the engine. */
export class Game {
  /** @param {Engine} engine @param {number} address */
  constructor(engine, address) {
    this.engine = engine;
    this.address = address;
  }

  /** The seat that must choose, or -1 when the game is over. */
  get player() {
    const player = this.engine.wasm.bw_player(this.engine.handle, this.address);
    return player < -1 ? this.engine.checked(player) : player;
  }

  get isTerminal() {
    return this.player < 0;
  }

  get seats() {
    return this.engine.checked(this.engine.wasm.bw_seats(this.engine.handle, this.address));
  }

  /** @returns {number[]} */
  get legalActions() {
    const { wasm, handle, actions } = this.engine;
    const n = this.engine.checked(wasm.bw_legal_actions(handle, this.address, actions, wasm.bw_max_legal()));
    return Array.from(new Int32Array(wasm.memory.buffer, actions, n));
  }

  /** @param {number} action */
  apply(action) {
    if (!Number.isInteger(action)) throw new EngineError(-3, `an action is a whole number, not ${action}`);
    this.engine.checked(this.engine.wasm.bw_apply(this.engine.handle, this.address, action));
  }

  get returns() {
    return this.#values(this.engine.wasm.bw_returns);
  }

  get scores() {
    return this.#values(this.engine.wasm.bw_scores);
  }

  /** @param {Function} rule */
  #values(rule) {
    const { wasm, handle, values } = this.engine;
    const n = this.engine.checked(rule(handle, this.address, values, 8));
    return Array.from(new Float64Array(wasm.memory.buffer, values, n));
  }

  /** What a seat may know, as a position of its own. @param {number} seat */
  observe(seat) {
    const out = this.copy();
    this.engine.checked(this.engine.wasm.bw_observe(this.engine.handle, this.address, seat, out.address));
    return out;
  }

  /** Fill what a seat does not know at random; of an observation. @param {number} seat @param {bigint | number} seed */
  determinize(seat, seed = randomSeed()) {
    const out = this.copy();
    this.engine.checked(this.engine.wasm.bw_determinize(this.engine.handle, out.address, seat, seedOf(seed)));
    return out;
  }

  /** What a seat sees of an action before it is played: the action itself, unless the game hides it.
   * @param {number} action @param {number} seat */
  actionObservation(action, seat) {
    return this.engine.checked(this.engine.wasm.bw_action_observation(this.engine.handle, this.address, action, seat));
  }

  copy() {
    const { wasm, handle, stateSize } = this.engine;
    const address = this.engine.allocate(stateSize);
    this.engine.checked(wasm.bw_copy(handle, this.address, address));
    return new Game(this.engine, address);
  }

  /** All of the state, to be kept; `engine.load` takes it. */
  bytes() {
    return new Uint8Array(this.engine.wasm.memory.buffer, this.address, this.engine.stateSize).slice();
  }

  /** The state's record alone: what the manifest's fields describe. */
  record() {
    return this.bytes().slice(this.engine.manifest.state_header);
  }

  free() {
    this.engine.wasm.bw_free(this.address);
    this.address = 0;
  }
}
