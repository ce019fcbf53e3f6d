#!/usr/bin/env python3
"""Runs every example that `hone --help` and `hone COMMAND --help` show."""

import os
import pathlib
import re
import subprocess
import sys
import tempfile

# Commands that list or show, and those that need the network.
LISTING = {(name,) for name in ("run", "eval", "revise", "prompt", "list", "show", "diff", "replay", "models", "doctor", "resume", "fork", "import", "rm", "prune")}
FETCHING = {("models", "pull")}


def help_of(hone, *command):
    done = subprocess.run([hone, *command, "--help"], capture_output=True, text=True, timeout=20)
    if done.returncode != 0:
        sys.exit(f"hone {' '.join(command)} --help ends with {done.returncode}: {done.stderr}")
    return done.stdout


def examples(text):
    return re.findall(r"^  (hone .+|.+ \| hone .+)$", text.partition("Example")[2], re.M)


def commands(text):
    listed = text.partition("Subcommands:")[2].partition("Example")[0]
    return re.findall(r"^  ([a-z]+) ", listed, re.M)


def main():
    hone = str(pathlib.Path(sys.argv[1]).resolve())
    root = pathlib.Path(__file__).resolve().parent.parent
    pages = {(): help_of(hone)}
    for name in commands(pages[()]):
        pages[(name,)] = help_of(hone, name)
        for below in commands(pages[(name,)]):
            pages[(name, below)] = help_of(hone, name, below)
    failed = ran = 0
    with tempfile.TemporaryDirectory() as home:
        environment = dict(os.environ, XDG_DATA_HOME=home, XDG_CONFIG_HOME=home,
                           PATH=f"{pathlib.Path(hone).parent}:{os.environ['PATH']}")
        for command, page in pages.items():
            found = examples(page)
            if command and not found:
                print(f"hone {' '.join(command)} --help shows no example", file=sys.stderr)
                failed += 1
            if command in LISTING and "--json" not in page:
                print(f"hone {' '.join(command)} has no --json", file=sys.stderr)
                failed += 1
            if command in FETCHING:
                continue
            for example in found:
                ran += 1
                done = subprocess.run(example, shell=True, cwd=root, env=environment, capture_output=True,
                                      text=True, stdin=subprocess.DEVNULL, timeout=60)
                if done.returncode != 0:
                    failed += 1
                    print(f"`{example}` ends with {done.returncode}: {done.stderr}", file=sys.stderr)
    print(f"{ran - failed} passed, {failed} failed")
    return 1 if failed or not ran else 0


if __name__ == "__main__":
    sys.exit(main())
