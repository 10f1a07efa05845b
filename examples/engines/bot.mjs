// A script agent (docs/scripts.md) that decides by an exported engine: the same search as its Python twin, in Node.
//
//   boardwright engine connect_four --agent uct:iterations=1000 --out lib
//   boardwright match connect_four script:"node examples/engines/bot.mjs lib connect_four" uct:iterations=1000 --games 20
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const [folder, name] = process.argv.slice(2);
const { Engine } = await import(pathToFileURL(resolve(folder, "engine.js")));
const manifest = JSON.parse(await readFile(resolve(folder, `${name}.wasm.json`), "utf8"));
const engine = await Engine.open(await readFile(resolve(folder, manifest.library)), manifest);
const say = (message) => process.stdout.write(`${JSON.stringify(message)}\n`);

for await (const line of createInterface({ input: process.stdin })) {
  const message = JSON.parse(line);
  if (message.type === "hello") {
    if (message.game === manifest.game) say({ type: "ready", protocol: 1, name: `engine-${name}` });
    else say({ type: "error", reason: `this engine plays ${manifest.game}, not ${message.game}` });
  } else if (message.type === "decide") {
    const position = engine.fromFields(message.position);
    const { action, reasons } = engine.decide(position);
    position.free();
    const told = reasons.slice(0, 5).map(({ action, value, visits }) => ({ action, value: value ?? 0, visits }));
    say({ type: "action", action, reasons: told });
  }
}
