"""Tries the regular expression of the output on texts that it has to match or not.

    python3 check_pattern.py < output
"""

import re
import sys

MATCHES = ["#fff", "#A1b2C3", "#000000", "#09f"]
OTHERS = ["fff", "#ffff", "#ggg", "#12345", "#1234567", " #fff", "#fff ", "#", "##fff"]


def main():
    text = sys.stdin.read().strip()
    block = re.search(r"```[a-z]*\n(.*?)```", text, re.S)
    pattern = (block.group(1) if block else text).strip().strip("`")
    try:
        compiled = re.compile(pattern)
    except re.error as error:
        sys.exit(f"this is no regular expression: {error}")
    wrong = [f"{one!r} should match" for one in MATCHES if not compiled.fullmatch(one)]
    wrong += [f"{one!r} should not match" for one in OTHERS if compiled.search(one)]
    print("\n".join(wrong))
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
