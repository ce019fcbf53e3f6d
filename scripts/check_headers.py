#!/usr/bin/env python3
"""Compiles every header of hone alone: check_headers.py COMPILER FLAG..."""

import concurrent.futures
import os
import pathlib
import subprocess
import sys


def compile_alone(command):
    header, arguments = command
    source = f'#include "{header}"\n'
    done = subprocess.run([*arguments, "-x", "c++", "-fsyntax-only", "-"], input=source, text=True,
                          capture_output=True)
    return header, done.returncode, done.stderr


def main():
    root = pathlib.Path(__file__).resolve().parent.parent
    arguments = [*sys.argv[1:], f"-I{root}"]
    headers = sorted(str(path.relative_to(root)) for path in (root / "hone").glob("*/*.h"))
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for header, code, errors in pool.map(compile_alone, [(h, arguments) for h in headers]):
            if code != 0:
                failed += 1
                print(f"{header} does not compile alone:\n{errors}", file=sys.stderr)
    print(f"{len(headers) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
