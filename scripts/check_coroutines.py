#!/usr/bin/env python3
"""Checks the coroutine rule: a statement with co_await has no braces, lambdas or structured bindings.

g++ 12 destroys such temporaries twice. Arguments and results get a name in a statement of their own.

    scripts/check_coroutines.py [FILE ...]      all sources of the project when no file is named
"""
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
COMMENT_OR_TEXT = re.compile(r'//[^\n]*|"(?:\\.|[^"\\\n])*"|/\*.*?\*/', re.S)
AWAIT = re.compile(r"\bco_(?:await|yield)\b")
BLOCK = re.compile(r"(?:\)|\belse|\btry|\bdo|\bconst|\boverride|\bfinal)\s*\{")
FORBIDDEN = (
    (re.compile(r"\{"), "braces"),
    (re.compile(r"\[[^\]\[]*\]\s*(?:\([^)]*\)\s*)?(?:mutable\s*)?\{"), "a lambda"),
    (re.compile(r"\bauto\s*&{0,2}\s*\["), "structured bindings"),
)


def blank(match):
    return re.sub(r"[^\n]", " ", match.group(0))


def statement_around(text, position):
    """The text between the ends of the statements or blocks around `position`."""
    begin = max(text.rfind(";", 0, position), text.rfind("}", 0, position)) + 1
    # The last brace that opens a block around the statement.
    opened = [brace.end() for brace in BLOCK.finditer(text, begin, position)]
    begin = opened[-1] if opened else begin
    end = text.find(";", position)
    return text[begin : end if end >= 0 else len(text)]


def violations(path):
    text = COMMENT_OR_TEXT.sub(blank, path.read_text())
    for match in AWAIT.finditer(text):
        statement = statement_around(text, match.start())
        for pattern, name in FORBIDDEN:
            if pattern.search(statement):
                line = text.count("\n", 0, match.start()) + 1
                yield f"{path.relative_to(ROOT)}:{line}: {name} in a statement with co_await"
                break


def sources():
    listed = subprocess.run(
        ["git", "ls-files", "*.cc", "*.h"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    names = listed.stdout.split() or [str(p) for p in ROOT.glob("hone/**/*.cc")]
    return [ROOT / name for name in names]


def main():
    files = [pathlib.Path(name).resolve() for name in sys.argv[1:]] or sources()
    found = [line for path in files for line in violations(path)]
    print("\n".join(found) or f"{len(files)} files keep the coroutine rule")
    return 1 if found else 0


sys.exit(main())
