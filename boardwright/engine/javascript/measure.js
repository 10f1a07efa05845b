// Milliseconds per decision of an exported engine in Node, over the positions of a transcript.
//
//     node measure.js race.wasm race.wasm.json transcript.json

// @ts-check
import { readFile } from "node:fs/promises";
import { Engine } from "./engine.js";

const [library, manifest, transcript] = process.argv.slice(2);
const engine = await Engine.open(await readFile(library), JSON.parse(await readFile(manifest, "utf8")));
let decisions = 0;
let spent = 0;
for (const played of JSON.parse(await readFile(transcript, "utf8")).games) {
  const game = engine.newGame({ seed: BigInt(played.seed), seats: played.seats });
  for (const step of played.steps) {
    if (step.decision) {
      const began = process.cpuUsage();
      engine.decide(game, { seed: BigInt(step.seed) });
      const { user, system } = process.cpuUsage(began);
      spent += (user + system) / 1000;
      decisions += 1;
    }
    game.apply(step.action);
  }
  game.free();
}
console.log(JSON.stringify({ decisions, milliseconds: spent / decisions }));
