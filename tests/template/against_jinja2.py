"""Renders the templates of cases.json with hone and with Jinja2 and compares byte for byte.

usage: against_jinja2.py PATH/TO/hone_template_cases

known_differences.json names the cases that differ, why, and hone's exact text. A case that differs
without being named fails, and so does a named case whose text changes or that differs no more.
Exit code 77: Jinja2 is not installed.
"""

import json
import pathlib
import subprocess
import sys

try:
    import jinja2
except ImportError:
    print("skipped: python3-jinja2 is not installed")
    sys.exit(77)

HERE = pathlib.Path(__file__).parent


def by_jinja2(case):
    own_lines = case.get("own_lines", False)
    environment = jinja2.Environment(
        undefined=jinja2.StrictUndefined,
        trim_blocks=own_lines,
        lstrip_blocks=own_lines,
        extensions=["jinja2.ext.loopcontrols", "jinja2.ext.do"],
    )
    try:
        return {"text": environment.from_string(case["template"]).render(case["context"])}
    except Exception as error:  # Templates fail in every way that Python does.
        return {"error": f"{type(error).__name__}: {error}"}


def by_hone(program, cases):
    keys = ("template", "context", "own_lines")
    request = [{key: case.get(key, False) for key in keys} for case in cases]
    done = subprocess.run(
        [program], input=json.dumps(request), capture_output=True, text=True, check=True
    )
    return json.loads(done.stdout)


def shown(result):
    return {"error": True} if "error" in result else result


def problem(case, ours, theirs, known):
    same = shown(ours) == shown(theirs)
    if known is None:
        return None if same else f"hone: {ours}\n  Jinja2: {theirs}"
    if same:
        return "differs no more: remove it from known_differences.json"
    if shown(ours) != known["hone"]:
        return f"hone: {ours}\n  known: {known['hone']}"
    return None


def main():
    corpus = json.loads((HERE / "cases.json").read_text())
    cases = [{"context": corpus["context"], **case} for case in corpus["cases"]]
    known = json.loads((HERE / "known_differences.json").read_text())
    names = [case["name"] for case in cases]
    problems = [f"{name}: stands twice" for name in set(names) if names.count(name) > 1]
    problems += [f"{name}: no such case" for name in known if name not in names]
    for case, ours in zip(cases, by_hone(sys.argv[1], cases), strict=True):
        found = problem(case, ours, by_jinja2(case), known.get(case["name"]))
        if found:
            problems.append(f"{case['name']}: {case['template']!r}\n  {found}")
    for found in problems:
        print(found)
    print(f"{len(cases) - len(problems)} passed, {len(problems)} failed")
    print(f"{len(known)} of {len(cases)} templates differ from Jinja2 for a stated reason")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
