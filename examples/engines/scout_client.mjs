// Sends the documents of a recorded conversation to `boardwright scout serve` and prints the answers.
//
//   boardwright scout serve --port 4711 --agent heuristic
//   node examples/engines/scout_client.mjs 127.0.0.1:4711 docs/scout-conversation.txt
import { readFile } from "node:fs/promises";
import { connect } from "node:net";

const [address, conversation] = process.argv.slice(2);
const [host, port] = address.split(":");
const socket = connect(Number(port), host);
let received = Buffer.alloc(0);
let answered = null;
socket.on("data", (bytes) => {
  received = Buffer.concat([received, bytes]);
  const end = received.length < 4 ? Infinity : 4 + received.readUInt32BE(0);
  if (received.length >= end) {
    const answer = received.toString("utf8", 4, end);
    received = received.subarray(end);
    answered(answer);
  }
});

function request(text) {
  const body = Buffer.from(text, "utf8");
  const length = Buffer.alloc(4);
  length.writeUInt32BE(body.length);
  socket.write(Buffer.concat([length, body]));
  return new Promise((resolve) => {
    answered = resolve;
  });
}

const text = await readFile(conversation, "utf8");
for (const [, document] of text.matchAll(/engine, \d+ bytes:\n(.*?)\n\nserver:/gs)) {
  console.log(await request(document));
}
socket.end();
