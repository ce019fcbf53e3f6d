#!/usr/bin/env python3
"""Checks that code shown in documents is code that works.

Every ```cpp block of a document follows a line `<!-- from FILE -->`, and its lines stand in that
file one after the other (indentation aside). With the command given, every ```yaml block that is a
task (`task: …`) or checks of one (`  - judge: …`) has to load; files it names are made up.

    scripts/check_docs.py [build/hone]
"""
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
BLOCK = re.compile(r"(?:<!-- from (?P<file>\S+) -->\s*)?```cpp\n(?P<code>.*?)```", re.S)
YAML = re.compile(r"```yaml\n(?P<code>.*?)```", re.S)


def lines_of(text):
    return [line.strip() for line in text.splitlines() if line.strip()]


def stands_in(code, source):
    wanted, lines = lines_of(code), lines_of(source)
    return any(lines[i : i + len(wanted)] == wanted for i in range(len(lines)))


def place(page, text, block):
    return f"{page.relative_to(ROOT)}:{text.count(chr(10), 0, block.start()) + 1}"


def code_problems(page, text):
    for block in BLOCK.finditer(text):
        where = place(page, text, block)
        name = block.group("file")
        if name is None:
            yield f"{where}: a block of C++ does not say which compiled file it is from"
        elif not stands_in(block.group("code"), (ROOT / name).read_text()):
            yield f"{where}: this is not what {name} says"


def task_of(code):
    if code.startswith("task:"):
        return code
    return "task: Say it.\ncheck:\n" + code if code.startswith("  - ") else None


def task_problems(page, text, hone):
    for block in YAML.finditer(text):
        task = task_of(block.group("code"))
        if task is None:
            continue
        with tempfile.TemporaryDirectory() as folder:
            for name in re.findall(r"file://([\w./-]+)", task):
                pathlib.Path(folder, name).write_text("{}\n")
            pathlib.Path(folder, "task.yaml").write_text(task)
            ran = subprocess.run(
                [hone, "prompt", "task.yaml"], cwd=folder, capture_output=True, text=True, check=False
            )
        if ran.returncode != 0:
            yield f"{place(page, text, block)}: hone does not take this task: {ran.stderr.strip()}"


def main():
    hone = pathlib.Path(sys.argv[1]).resolve() if len(sys.argv) > 1 else None
    pages = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted(ROOT.glob("docs/**/*.md"))]
    found = []
    for page in pages:
        text = page.read_text()
        found += code_problems(page, text)
        found += task_problems(page, text, hone) if hone else []
    print("\n".join(found) or f"the code of {len(pages)} pages works")
    return 1 if found else 0


sys.exit(main())
