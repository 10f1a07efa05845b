// Types of engine.js.

export declare const ABI: number;

export interface Manifest {
  abi: number;
  game: string;
  title: string;
  agent: string;
  agent_seats: number[];
  seats: number[];
  seat_names: string[];
  num_actions: number;
  max_legal: number;
  min_utility: number;
  max_utility: number;
  record_size: number;
  state_header: number;
  fields: unknown[];
  options: Record<string, { meaning: string; default: number; low: number; high: number; choices: string[]; kind: string }>;
  digest: string;
  library: string;
}

export interface Reason {
  action: number;
  visits: number;
  /** The return that the agent expects; null where it does not say. */
  value: number | null;
  prior: number | null;
}

export declare class EngineError extends Error {
  code: number;
}

export declare class Engine {
  static open(source: BufferSource | WebAssembly.Module, manifest: Manifest): Promise<Engine>;
  readonly manifest: Manifest;
  newGame(settings?: { seed?: bigint | number; seats?: number; options?: Record<string, number> }): Game;
  load(bytes: Uint8Array): Game;
  fromFields(fields: Record<string, unknown>): Game;
  decide(
    game: Game,
    budget?: { seed?: bigint | number; iterations?: number; milliseconds?: number },
  ): { action: number; reasons: Reason[] };
  reasons(): Reason[];
}

export declare class Game {
  /** The seat that must choose, or -1 when the game is over. */
  readonly player: number;
  readonly isTerminal: boolean;
  readonly seats: number;
  readonly legalActions: number[];
  readonly returns: number[];
  readonly scores: number[];
  apply(action: number): void;
  observe(seat: number): Game;
  determinize(seat: number, seed?: bigint | number): Game;
  actionObservation(action: number, seat: number): number;
  copy(): Game;
  bytes(): Uint8Array;
  record(): Uint8Array;
  free(): void;
}
