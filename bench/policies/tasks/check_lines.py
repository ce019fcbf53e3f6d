"""Checks texts whose form was asked for.

    python3 check_lines.py NAME < output
"""

import re
import sys


def words(line):
    return re.findall(r"[A-Za-z']+", line)


def acrostic(lines):
    if len(lines) != 4:
        yield f"there are {len(lines)} lines and should be 4"
    for number, (line, letter) in enumerate(zip(lines, "HONE"), 1):
        if not line.startswith(letter):
            yield f"line {number} starts with {line[:1]!r} and should start with {letter!r}"
        if not 4 <= len(words(line)) <= 8:
            yield f"line {number} has {len(words(line))} words and should have 4 to 8"


def verse(lines):
    if len(lines) != 3:
        yield f"there are {len(lines)} lines and should be 3"
    for number, (line, wanted) in enumerate(zip(lines, (5, 7, 5)), 1):
        if len(words(line)) != wanted:
            yield f"line {number} has {len(words(line))} words and should have {wanted}"


def without_e(lines):
    text = " ".join(lines)
    bad = [word for word in words(text) if "e" in word.lower()]
    if bad:
        yield f"these words have an e: {', '.join(bad)}"
    if len(words(text)) != 8:
        yield f"there are {len(words(text))} words and should be 8"


def notice(lines):
    text = " ".join(lines)
    if not 25 <= len(words(text)) <= 35:
        yield f"there are {len(words(text))} words and should be 25 to 35"
    for word in ("library", "Monday", "renovation", "entrance"):
        if word not in text:
            yield f"the word {word!r} is missing"
    if "!" in text or "closed" in text.lower():
        yield "neither an exclamation mark nor the word 'closed' may occur"


def main():
    lines = [line.strip() for line in sys.stdin.read().strip().splitlines() if line.strip()]
    checks = {"acrostic": acrostic, "verse": verse, "without_e": without_e, "notice": notice}
    problems = list(checks[sys.argv[1]](lines))
    print("\n".join(problems))
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
