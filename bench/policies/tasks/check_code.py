"""Runs the function that stands in the output on the cases of code_cases.json.

    python3 check_code.py NAME < output
"""

import json
import pathlib
import re
import sys


def code_in(output):
    blocks = re.findall(r"```[a-z]*\n(.*?)```", output, re.S)
    return "\n".join(blocks) if blocks else output


def outcome(function, arguments):
    try:
        return function(*arguments)
    except Exception as error:  # What a case may ask for.
        return {"raises": type(error).__name__}


def main():
    name = sys.argv[1]
    cases = json.loads((pathlib.Path(__file__).parent / "code_cases.json").read_text())[name]
    scope = {"__name__": "output"}
    try:
        exec(compile(code_in(sys.stdin.read()), "output", "exec"), scope)
    except Exception as error:
        sys.exit(f"the code does not run: {type(error).__name__}: {error}")
    function = scope.get(name)
    if not callable(function):
        sys.exit(f"there is no function {name}")
    wrong = []
    for arguments, expected in cases:
        found = outcome(function, arguments)
        found = json.loads(json.dumps(found, default=str))
        if found == expected and isinstance(found, bool) == isinstance(expected, bool):
            continue
        shown = ", ".join(map(repr, arguments))
        wrong.append(f"{name}({shown}) gives {found!r} and should give {expected!r}")
    print(json.dumps({"score": 1 - len(wrong) / len(cases), "issues": wrong}))
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
