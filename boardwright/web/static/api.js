// Requests to the server, and the secret links that this browser holds.

export async function get(path) {
  return answer(await fetch(path, { headers: { accept: "application/json" } }));
}

export async function post(path, content) {
  return answer(
    await fetch(path, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(content) }),
  );
}

export async function send(path, data) {
  return answer(await fetch(path, { method: "POST", headers: { "content-type": "application/octet-stream" }, body: data }));
}

async function answer(response) {
  const content = await response.json().catch(() => ({}));
  if (!response.ok) throw new Error(content.error || `the server answers ${response.status}`);
  return content;
}

// A seed has up to 64 bits, which JavaScript's numbers have not: it travels as digits in the JSON text.
export async function postWithSeed(path, content, seed) {
  const text = JSON.stringify({ ...content, seed: "SEED" }).replace('"SEED"', seed === null ? "null" : String(BigInt(seed)));
  return answer(await fetch(path, { method: "POST", headers: { "content-type": "application/json" }, body: text }));
}

export async function postWithStart(path, start, content) {
  const text = JSON.stringify({ ...content, start: { ...start, seed: "SEED" } }).replace('"SEED"', String(BigInt(start.seed)));
  return answer(await fetch(path, { method: "POST", headers: { "content-type": "application/json" }, body: text }));
}

export function keepTokens(table, tokens) {
  localStorage.setItem(`tokens:${table}`, JSON.stringify(tokens));
}

export function tokensOf(table) {
  return JSON.parse(localStorage.getItem(`tokens:${table}`) || "{}");
}

// `address`: the server's own in the network, for a page that was opened on the same machine.
export const seatLink = (table, token, address) => `${tableLink(table, address)}#${token}`;

export function tableLink(table, address) {
  const here = ["127.0.0.1", "localhost", "[::1]"].includes(location.hostname);
  return `${here && address ? address : location.origin}/table/${table}`;
}
