#!/usr/bin/env python3
"""Runs hone on a pseudo-terminal: one status line lives while it works and is gone at the end."""

import os
import pathlib
import pty
import sys
import tempfile

SCRIPT = '- {role: generate, reply: "hello", delay: 700ms}\n'


def screen_of(command, folder, environment):
    process, terminal = pty.fork()
    if process == 0:
        os.chdir(folder)
        os.execve(command[0], command, environment)
    seen = b""
    while True:
        try:
            piece = os.read(terminal, 4096)
        except OSError:  # The terminal is closed when the process ends.
            break
        if not piece:
            break
        seen += piece
    return seen.decode(), os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])


def main():
    hone = str(pathlib.Path(sys.argv[1]).resolve())
    with tempfile.TemporaryDirectory() as folder:
        (pathlib.Path(folder) / "script.yaml").write_text(SCRIPT)
        environment = dict(os.environ, TERM="xterm", XDG_DATA_HOME=folder, NO_COLOR="1")
        command = [hone, "run", "Say hello now", "-m", "scripted:script.yaml", "--check", "grep -q hello"]
        screen, code = screen_of(command, folder, environment)
    lines = [line.rsplit("\r", 1)[-1] for line in screen.replace("\r\n", "\n").split("\n")]
    wanted = {
        "it ends with 0": code == 0,
        "the status line shows the attempt": "\rattempt 1 · " in screen,
        "it lives: it was drawn more than once": screen.count("\rattempt 1 · ") > 1,
        "it is erased in the end": "\r\x1b[K" in screen and not any("\rattempt" in line for line in lines),
        "no colours with NO_COLOR": "\x1b[3" not in screen and "\x1b[2m" not in screen,
        "the verdict is there": "evaluate 1  passed 1.00" in screen,
    }
    for what, holds in wanted.items():
        if not holds:
            print(f"does not hold: {what}\n{screen!r}", file=sys.stderr)
    passed = sum(wanted.values())
    print(f"{passed} passed, {len(wanted) - passed} failed")
    return 0 if passed == len(wanted) else 1


if __name__ == "__main__":
    sys.exit(main())
