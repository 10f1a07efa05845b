// Translates a page's Python ahead of time: `node translate.cjs BRYTHON < SOURCE` prints what Brython would make of it.
const { readFileSync } = require("node:fs");
const { runInThisContext } = require("node:vm");

Object.assign(globalThis, { self: globalThis, module: {}, require, addEventListener() {} });
globalThis.location = { href: "page://library/", protocol: "page:", origin: "" };
runInThisContext(readFileSync(process.argv[2], "utf8"));
__BRYTHON__.parse_options();
const source = { src: readFileSync(0, "utf8"), filename: "presentation" };
process.stdout.write(__BRYTHON__.py2js(source, "presentation", "presentation", __BRYTHON__.builtins_scope).to_js());
