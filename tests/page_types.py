"""Types of the pages' modules: `python tests/page_types.py` checks them with TypeScript, where Node.js is installed.

The messages that pages and the server send each other are declared once, in boardwright/web/messages.py;
`python tests/page_types.py --write` writes them down for TypeScript again, as boardwright/web/static/messages.d.ts.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pydantic

from boardwright.web import messages

ROOT = Path(__file__).parent.parent
DECLARED = ROOT / "boardwright/web/static/messages.d.ts"
TYPESCRIPT = "typescript@5.9.3"
FOLDER = ROOT / ".venv/typescript"
_SIMPLE = {"string": "string", "integer": "number", "number": "number", "boolean": "boolean", "null": "null"}


def declarations() -> str:
    """All messages in both directions, as TypeScript."""
    lines = ["// Made by tests/page_types.py from boardwright/web/messages.py."]
    for name, kind in (("FromPage", messages.FromPage), ("ToPage", messages.ToPage)):
        schema = pydantic.TypeAdapter(kind).json_schema(mode="serialization", ref_template="{model}")
        for model, fields in schema.pop("$defs").items():
            needed = fields["properties"] if name == "ToPage" else fields.get("required", ())
            lines.append(f"export interface {model} {{")
            for field, declared in fields["properties"].items():
                lines.append(f"  {field}{'' if field in needed else '?'}: {_type(declared)};")
            lines.append("}")
        lines.append(f"export type {name} = {_type(schema)};")
    return "\n".join(lines) + "\n"


def _type(schema: dict[str, Any]) -> str:
    if "$ref" in schema:
        return str(schema["$ref"])
    if "const" in schema:
        return f'"{schema["const"]}"'
    if options := schema.get("anyOf") or schema.get("oneOf"):
        return " | ".join(dict.fromkeys(map(_type, options)))
    if "prefixItems" in schema:
        return f"[{', '.join(map(_type, schema['prefixItems']))}]"
    if schema["type"] == "array":
        return f"({_type(schema['items'])})[]"
    return _SIMPLE[schema["type"]]


def check() -> int:
    """The exit code of TypeScript; 0 with a notice where it cannot be had."""
    npm = shutil.which("npm")
    if npm is None or shutil.which("node") is None:
        return _skip("Node.js and npm are not installed")
    compiler = FOLDER / "node_modules/.bin/tsc"
    if not compiler.exists():
        install = [npm, "install", "--prefix", str(FOLDER), "--silent", "--no-audit", "--no-fund", TYPESCRIPT]
        if subprocess.run(install, env={**os.environ, "npm_config_fetch_retries": "0"}).returncode:
            return _skip(f"npm cannot install {TYPESCRIPT}")
    return subprocess.run([str(compiler), "-p", str(ROOT / "tsconfig.json")]).returncode


def _skip(why: str) -> int:
    print(f"SKIPPED: the types of the pages' modules are not checked: {why}", file=sys.stderr)
    return 0


if __name__ == "__main__":
    if sys.argv[1:] == ["--write"]:
        DECLARED.write_text(declarations())
    else:
        sys.exit(check())
