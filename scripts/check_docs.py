#!/usr/bin/env python3
"""Checks that code shown in documents is code that is compiled and run.

Every ```cpp block of a document follows a line `<!-- from FILE -->`, and its lines stand in that
file one after the other (indentation aside).

    scripts/check_docs.py
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
BLOCK = re.compile(r"(?:<!-- from (?P<file>\S+) -->\s*)?```cpp\n(?P<code>.*?)```", re.S)


def lines_of(text):
    return [line.strip() for line in text.splitlines() if line.strip()]


def stands_in(code, source):
    wanted, lines = lines_of(code), lines_of(source)
    return any(lines[i : i + len(wanted)] == wanted for i in range(len(lines)))


def problems(page):
    for block in BLOCK.finditer(page.read_text()):
        line = page.read_text().count("\n", 0, block.start()) + 1
        where = f"{page.relative_to(ROOT)}:{line}"
        name = block.group("file")
        if name is None:
            yield f"{where}: a block of C++ does not say which compiled file it is from"
        elif not stands_in(block.group("code"), (ROOT / name).read_text()):
            yield f"{where}: this is not what {name} says"


def main():
    pages = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted(ROOT.glob("docs/**/*.md"))]
    found = [problem for page in pages for problem in problems(page)]
    print("\n".join(found) or f"the code of {len(pages)} pages is compiled code")
    return 1 if found else 0


sys.exit(main())
