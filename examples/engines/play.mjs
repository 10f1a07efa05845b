// Plays one game of an exported engine against itself in Node and prints the scores.
//
//   boardwright engine connect_four --agent uct:iterations=1000 --out lib
//   node examples/engines/play.mjs lib connect_four
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [folder, name] = process.argv.slice(2);
const { Engine } = await import(pathToFileURL(resolve(folder, "engine.js")));
const manifest = JSON.parse(await readFile(resolve(folder, `${name}.wasm.json`), "utf8"));
const engine = await Engine.open(await readFile(resolve(folder, manifest.library)), manifest);
const game = engine.newGame({ seed: 7 });
let moves = 0;
while (!game.isTerminal) {
  const { action } = engine.decide(game, { seed: ++moves });
  game.apply(action);
}
console.log(`${moves} moves, scores: ${game.scores.join(" ")}`);
