#!/usr/bin/env python3
"""Runs hone on pseudo-terminals: what lives while it works, and what stays on the screen."""

import fcntl
import os
import pathlib
import pty
import re
import struct
import sys
import tempfile
import termios

SCRIPT = """\
- {role: generate, reply: "hello", delay: 700ms}
- {role: reflect, reply: "No."}
- {role: revise, reply: "good bye"}
"""
ROWS = "".join('{"n": %d}\n' % n for n in range(1, 7))
STATUS = re.compile(r"\r([^\r\n\x1b]*)\x1b\[K")
CONTROL = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


class Play:
    """One command on a terminal of `columns`; `steps` are (text to wait for, what to do then)."""

    def __init__(self, command, folder, columns=80, steps=(), **variables):
        environment = {k: v for k, v in os.environ.items() if not k.startswith("HONE_") and k != "NO_COLOR"}
        environment.update(TERM="xterm", XDG_DATA_HOME=folder, XDG_CONFIG_HOME=folder, XDG_CACHE_HOME=folder)
        environment.update(variables)
        process, self.terminal = pty.fork()
        if process == 0:
            self.terminal = 0
            self.resize(columns)
            os.chdir(folder)
            os.execve(command[0], command, environment)
        self.screen = ""
        self.read(list(steps))
        self.code = os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])

    def resize(self, columns):
        fcntl.ioctl(self.terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))

    def type(self, text):
        os.write(self.terminal, text.encode())

    def read(self, steps):
        seen = b""
        while True:
            try:
                piece = os.read(self.terminal, 4096)
            except OSError:  # The terminal is closed when the process ends.
                break
            if not piece:
                break
            seen += piece
            self.screen = seen.decode(errors="replace").replace("\r\n", "\n")
            if steps and steps[0][0] in self.screen:
                steps.pop(0)[1](self)

    @property
    def statuses(self):
        """What the living line showed, one after the other."""
        return [text for text in STATUS.findall(CONTROL.sub(lambda m: m[0] if m[0] == "\x1b[K" else "", self.screen)) if text]

    @property
    def lines(self):
        """What stays: the text after the last return to the start of each line."""
        return [CONTROL.sub("", line.rsplit("\r", 1)[-1]) for line in self.screen.split("\n")]


def one_run(hone, folder):
    run = [hone, "run", "Say hello now", "-m", "scripted:script.yaml", "--check", "grep -q hello"]
    play = Play(run, folder, NO_COLOR="1")
    yield "it ends with 0", play.code == 0, play
    yield "the status line shows the attempt", "\rattempt 1 · " in play.screen, play
    yield "it lives: it was drawn more than once", len(play.statuses) > 1, play
    yield "it is gone in the end", not any("tok" in line and "·" in line for line in play.lines), play
    yield "no colours with NO_COLOR", not re.search(r"\x1b\[[0-9;]*m", play.screen), play
    yield "the verdict is there", "evaluate 1  passed 1.00" in play.screen, play
    coloured = Play(run, folder)
    yield "a verdict has a colour", "\x1b[32mevaluate 1" in coloured.screen, coloured
    dumb = Play(run, folder, TERM="dumb")
    yield "a dumb terminal gets no control sequences", "\x1b" not in dumb.screen and dumb.code == 0, dumb
    quiet = Play(run + ["-q"], folder)
    yield "quiet is quiet", quiet.lines == ["hello", ""], quiet


def drafts(hone, folder):
    model = "command:printf '%s\\n%s' 'first line' '\u4f60\u597d " + "word " * 40 + "\\033[2Jend'"
    command = [hone, "run", "Say hello now", "-m", model, "--check", "sleep 0.5", "-q"]
    play = Play(command[:-1], folder)
    shown = [text for text in play.statuses if "│" in text]
    yield "the last line of the draft is shown", any(text.endswith("end") for text in shown), play
    yield "not the line before it", not any("first" in text for text in shown), play
    widths = [sum(2 if "\u4e00" <= c <= "\u9fff" else 1 for c in text) for text in play.statuses]
    yield "it stays inside 80 columns", max(widths) <= 79, play
    before = play.screen.partition("stop ")[0]
    yield "a draft cannot clear the screen", "\x1b[2J" not in before, play
    narrow = Play(command[:-1], folder, columns=30)
    yield "it stays inside 30 columns", max(map(len, narrow.statuses)) <= 29, narrow


def resizing(hone, folder):
    model = "command:echo " + "word " * 30
    command = [hone, "run", "Say hello now", "-m", model, "--check", "sleep 0.9"]
    play = Play(command, folder, columns=100, steps=[("│", lambda p: p.resize(40))])
    at = next(i for i, text in enumerate(play.statuses) if "│" in text)
    after = play.statuses[at + 1:]
    yield "after the window became narrow the line does too", after and max(map(len, after)) <= 39, play
    yield "the rows of the wide line are cleared", "\x1b[2A\r\x1b[J" in play.screen, play


def many_runs(hone, folder):
    command = [hone, "run", "Say {{ input.n }} now", "-m", "scripted:script.yaml", "--regex", "hello",
               "--each", "rows.jsonl", "-j", "3"]
    play = Play(command, folder)
    yield "all runs pass", play.code == 0 and "6 of 6 passed" in play.screen, play
    yield "a bar shows how far it is", any("█" in t and "░" in t and "3/6" in t for t in play.statuses), play
    yield "it stays inside 80 columns", max(map(len, play.statuses)) <= 79, play
    yield "a result for each row stays", sum(line.startswith('{"format":1') for line in play.lines) == 6, play
    slow = command[:3] + ["-m", "command:sleep 20"] + command[5:]
    stopped = Play(slow, folder, steps=[("3 running", lambda p: p.type("\x03"))])
    yield "Ctrl-C ends all of them", stopped.code == 130, stopped
    yield "those that had begun tell", stopped.screen.count('"reason":"cancelled"') == 3, stopped


def missing_weights(hone, folder):
    command = [hone, "run", "Say hello now", "-m", "local", "--regex", "hello"]
    play = Play(command, folder, steps=[("[y/N] ", lambda p: p.type("n\n"))])
    yield "it asks with the size", re.search(r"\d\.\d GB\. Fetch them now\? \[y/N\]", play.screen), play
    yield "no is an answer", play.code == 2 and "hone models pull" in play.screen, play
    hung = Play(command, folder, steps=[("[y/N] ", lambda p: p.type("\x04"))])
    yield "so is the end of the input", hung.code == 2, hung


def differences(hone, folder):
    Play([hone, "run", "Say it now", "-m", "scripted:script.yaml", "--check", "false", "-n", "2"], folder)
    command = ["/bin/sh", "-c", f"{hone} diff $({hone} list | head -1 | cut -d' ' -f1) 1 2"]
    play = Play(command, folder)
    yield "words differ in colour", "\x1b[31mhello\x1b[0m\x1b[32mgood" in play.screen, play
    plain = Play(command, folder, NO_COLOR="1")
    yield "or in brackets", "[-hello-]{+good" in plain.screen, plain


def main():
    hone = str(pathlib.Path(sys.argv[1]).resolve())
    passed = failed = 0
    for scene in (one_run, drafts, resizing, many_runs, missing_weights, differences):
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / "script.yaml").write_text(SCRIPT)
            (pathlib.Path(folder) / "rows.jsonl").write_text(ROWS)
            for what, holds, play in scene(hone, folder):
                passed += bool(holds)
                failed += not holds
                if not holds:
                    print(f"{scene.__name__}: does not hold: {what}\n{play.screen!r}", file=sys.stderr)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
