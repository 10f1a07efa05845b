// A text as a change of the one before it (boardwright/web/patches.py says how it is made).

export function pieces(text) {
  const found = [];
  let depth = 0;
  for (const line of text.split("\n")) {
    if (depth) found[found.length - 1] += `\n${line}`;
    else found.push(line);
    if (line.startsWith("<g")) depth += 1;
    else if (line.startsWith("</g>")) depth = Math.max(0, depth - 1);
  }
  return found;
}

export function patched(before, change) {
  const old = pieces(before);
  const made = change.flatMap((part) => {
    if (typeof part === "string") return [part];
    const [place, what] = part;
    if (typeof what === "string") return [what + old[place].slice(old[place].indexOf("\n"))];
    return old.slice(place, place + what);
  });
  return made.join("\n");
}
