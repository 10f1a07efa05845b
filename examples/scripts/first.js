#!/usr/bin/env node
// The smallest bot in JavaScript: plays any game at random.
const lines = require("readline").createInterface({ input: process.stdin });

// A small generator of its own (mulberry32), so that the host's seed gives the same games again.
let state = 0;
function chance() {
  state = (state + 0x6d2b79f5) | 0;
  let t = Math.imul(state ^ (state >>> 15), 1 | state);
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
  return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
}

function say(answer) {
  process.stdout.write(JSON.stringify(answer) + "\n");
}

lines.on("line", (line) => {
  const message = JSON.parse(line);
  if (message.type === "hello") {
    state = message.seed | 0;
    say({ type: "ready", protocol: 1, name: "first in JavaScript" });
  } else if (message.type === "decide") {
    const chosen = message.legal[Math.floor(chance() * message.legal.length)];
    say({ type: "action", action: chosen.action, reasons: [{ action: chosen.action, note: "by chance" }] });
  }
});
