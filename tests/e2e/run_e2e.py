#!/usr/bin/env python3
"""Runs the scenarios of tests/e2e/*.test through the real binary.

A scenario is a text file of sections. Files come first, then one or more runs:

    --- file task.yaml          a file in the scenario's own empty folder
    …
    --- run                     a shell command; `hone` is the binary under test
    hone run task.yaml
    --- stdin                   optional
    --- exit 100                default 0
    --- stdout                  compared whole, after normalising ids, times and the folder
    --- stderr has              each line has to occur somewhere in stderr
    --- stdout has              the same for stdout
    --- stdout json             JSON whose members must be in the printed JSON, recursively

HONE_UPDATE_GOLDEN=1 rewrites the `stdout` sections. Read the difference as a user would.
"""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

SECTION = re.compile(r"^--- (\w+)(?: (.*))?$")
NORMALISE = [
    (re.compile(r"\b01[0-9a-hjkmnp-tv-z]{14}\b"), "RUNID"),
    (re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z"), "TIME"),
    (re.compile(r'"seconds":\s*[0-9.e-]+'), '"seconds":0'),
]
KEPT = ("PATH", "HOME", "LANG", "LD_LIBRARY_PATH", "ASAN_OPTIONS", "TSAN_OPTIONS", "UBSAN_OPTIONS")


class Section:
    def __init__(self, kind, argument, lines):
        self.kind, self.argument, self.lines = kind, argument, lines

    @property
    def text(self):
        return "\n".join(self.lines) + "\n" if self.lines else ""


def parse(path):
    preamble, sections = [], []
    for line in path.read_text().splitlines():
        match = SECTION.match(line)
        if match:
            sections.append(Section(match[1], (match[2] or "").strip(), []))
        elif sections:
            sections[-1].lines.append(line)
        else:
            preamble.append(line)
    return preamble, sections


def normalise(text, folder):
    text = text.replace(str(folder), "FOLDER")
    for pattern, word in NORMALISE:
        text = pattern.sub(word, text)
    return text


def misses(expected, actual, where="$"):
    """Where `actual` lacks what `expected` asks for."""
    if isinstance(expected, dict):
        if not isinstance(actual, dict):
            return [f"{where}: not an object but {actual!r}"]
        found = []
        for key, value in expected.items():
            if key not in actual:
                found.append(f"{where}.{key}: missing")
            else:
                found += misses(value, actual[key], f"{where}.{key}")
        return found
    if isinstance(expected, list):
        if not isinstance(actual, list) or len(actual) != len(expected):
            return [f"{where}: expected {len(expected)} items, found {actual!r}"]
        return [m for i, (e, a) in enumerate(zip(expected, actual)) for m in misses(e, a, f"{where}[{i}]")]
    if expected == "…":
        return []
    return [] if expected == actual else [f"{where}: expected {expected!r}, found {actual!r}"]


class Run:
    """One `run` section with the sections that belong to it."""

    def __init__(self, command, sections):
        self.command, self.sections = command, sections

    def find(self, kind, argument=None):
        for section in self.sections:
            if section.kind == kind and (argument is None or section.argument == argument):
                return section
        return None

    def execute(self, folder, environment):
        stdin = self.find("stdin")
        return subprocess.run(["/bin/sh", "-c", self.command.text], cwd=folder, env=environment,
                              input=stdin.text.encode() if stdin else b"", capture_output=True, timeout=60)

    def check(self, result, folder, update):
        out = normalise(result.stdout.decode(errors="replace"), folder)
        err = normalise(result.stderr.decode(errors="replace"), folder)
        found = []
        wanted = int(self.find("exit").argument) if self.find("exit") else 0
        if result.returncode != wanted:
            found.append(f"exit {result.returncode}, expected {wanted}\nstdout: {out}\nstderr: {err}")
        for stream, text in (("stdout", out), ("stderr", err)):
            has = self.find(stream, "has")
            for line in has.lines if has else []:
                if line.strip() and line.strip() not in text:
                    found.append(f"{stream} lacks {line.strip()!r}; it is:\n{text}")
        golden = self.find("stdout", "")
        if golden and golden.text.rstrip("\n") != out.rstrip("\n"):
            if update:
                golden.lines = out.rstrip("\n").split("\n")
            else:
                found.append(f"stdout is\n{out}expected\n{golden.text}")
        shape = self.find("stdout", "json")
        if shape:
            try:
                found += misses(json.loads(shape.text), json.loads(out))
            except ValueError as error:
                found.append(f"stdout is not JSON ({error}): {out}")
        return found


def play(path, hone, update):
    preamble, sections = parse(path)
    root = pathlib.Path(tempfile.mkdtemp(prefix="hone-e2e-"))
    folder = root / "work"
    folder.mkdir()
    environment = {key: os.environ[key] for key in KEPT if key in os.environ}
    environment.update(XDG_DATA_HOME=str(root / "data"), XDG_CONFIG_HOME=str(root / "config"),
                       XDG_CACHE_HOME=str(root / "cache"),
                       PATH=f"{hone.parent}:{environment['PATH']}", NO_COLOR="1", TERM="dumb",
                       FAKE_OPENAI=str(hone.parent / "tests" / "fake_openai" / "hone-fake-openai"),
                       ROOT=str(pathlib.Path(__file__).resolve().parents[2]))
    runs = []
    for section in sections:
        if section.kind == "file":
            target = folder / section.argument
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(section.text)
        elif section.kind == "run":
            runs.append(Run(section, []))
        else:
            runs[-1].sections.append(section)
    found = []
    for number, run in enumerate(runs, 1):
        try:
            result = run.execute(folder, environment)
        except subprocess.TimeoutExpired:
            found.append(f"run {number} did not end within 60 s")
            break
        found += [f"run {number} ({run.command.text.strip()}): {m}" for m in run.check(result, folder, update)]
    subprocess.run(["chmod", "-R", "u+rwx", str(root)], check=False)
    shutil.rmtree(root, ignore_errors=True)
    if update:
        lines = preamble + [l for s in sections
                            for l in [f"--- {s.kind} {s.argument}".rstrip()] + s.lines]
        path.write_text("\n".join(lines).rstrip("\n") + "\n")
    return found


def main():
    hone = pathlib.Path(sys.argv[1]).resolve()
    paths = [pathlib.Path(p) for p in sys.argv[2:]] or sorted(pathlib.Path(__file__).parent.glob("*.test"))
    update = os.environ.get("HONE_UPDATE_GOLDEN") == "1"
    failed = 0
    for path in paths:
        found = play(path, hone, update)
        failed += bool(found)
        for message in found:
            print(f"{path.name}: {message}", file=sys.stderr)
    print(f"{len(paths) - failed} passed, {failed} failed")
    return 1 if failed or not paths else 0


if __name__ == "__main__":
    sys.exit(main())
