// Replays a transcript (tests/engine_transcripts.py) and counts what was compared and what differed.
//
//     node verify.js race.wasm race.wasm.json transcript.json

// @ts-check
import { Engine } from "./engine.js";

const TABLE = Uint32Array.from({ length: 256 }, (_, n) => {
  for (let k = 0; k < 8; k++) n = n & 1 ? 0xedb88320 ^ (n >>> 1) : n >>> 1;
  return n;
});

/** @param {Uint8Array} bytes */
function crc32(bytes) {
  let sum = 0xffffffff;
  for (const byte of bytes) sum = TABLE[(sum ^ byte) & 255] ^ (sum >>> 8);
  return (sum ^ 0xffffffff) >>> 0;
}

/** @param {Engine} engine @param {any} transcript @returns {Record<string, number>} */
export function differences(engine, transcript) {
  /** @type {Record<string, number>} */
  const found = {};
  /** @param {string} what @param {any} mine @param {any} theirs */
  function compare(what, mine, theirs) {
    found[what] = (found[what] ?? 0) + 1;
    if (JSON.stringify(mine) !== JSON.stringify(theirs)) found[`≠ ${what}`] = (found[`≠ ${what}`] ?? 0) + 1;
  }
  for (const played of transcript.games) {
    const game = engine.newGame({ seed: BigInt(played.seed), seats: played.seats });
    for (const step of played.steps) {
      const seed = BigInt(step.seed);
      compare("player", game.player, step.player);
      compare("legal actions", game.legalActions, step.legal);
      compare("state", crc32(game.record()), step.state);
      const seen = game.observe(step.player);
      compare("observation", crc32(seen.record()), step.observation);
      const whole = seen.determinize(step.player, seed);
      compare("determinization", crc32(whole.record()), step.determinization);
      if (step.decision) {
        const decided = engine.decide(game, { seed, iterations: transcript.iterations });
        compare("decision", decided.action, step.decision.action);
        if (step.decision.visits !== null) compare("visits", decided.reasons[0].visits, step.decision.visits);
      }
      for (const position of [seen, whole]) position.free();
      game.apply(step.action);
    }
    compare("end", crc32(game.record()), played.end.state);
    compare("scores", game.scores, played.end.scores);
    game.free();
  }
  return found;
}

const isNode = typeof process !== "undefined" && process.versions?.node;
if (isNode && process.argv[1]?.endsWith("verify.js")) {
  const { readFile } = await import("node:fs/promises");
  const [library, manifest, transcript] = process.argv.slice(2);
  const engine = await Engine.open(await readFile(library), JSON.parse(await readFile(manifest, "utf8")));
  console.log(JSON.stringify(differences(engine, JSON.parse(await readFile(transcript, "utf8")))));
}
