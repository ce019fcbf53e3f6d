#!/usr/bin/env python3
"""Checks that folders include lower ranks only, that pure folders include no I/O, and that timers,
sockets and processes stay where they belong. docs/architecture.md shows the same table."""

import pathlib
import re
import sys

RANKS = {
    "base": 0,
    "async": 1, "sqlite": 1, "yaml": 1, "template": 1, "schema": 1,
    "process": 2, "core": 2,
    "prompt": 3, "net": 3, "sandbox": 3,
    "model": 4, "evaluate": 4, "reflect": 4, "memory": 4, "journal": 4, "trace": 4,
    "agent": 5, "task": 6, "workflow": 7, "queue": 8, "serve": 9,
}
PURE = {"base", "yaml", "template", "schema", "core", "prompt"}
# Headers through which a program meets the world.
IO = re.compile(r"<(fstream|filesystem|iostream|cstdio|thread|sys/.*|unistd\.h|fcntl\.h|dlfcn\.h|spawn\.h"
                r"|sqlite3\.h|curl/.*|netinet/.*|arpa/.*)>")
ASIO = re.compile(r"<boost/(asio|beast)")
ASIO_FOLDERS = {"async", "net", "process"}
ASIO_EVERYWHERE = {"<boost/asio/awaitable.hpp>"}
INCLUDE = re.compile(r'^\s*#\s*include\s+(["<][^">]+[">])', re.M)


def problems(root: pathlib.Path):
    for path in sorted((root / "hone").glob("*/*")):
        if path.suffix not in {".h", ".cc"}:
            continue
        folder = path.parent.name
        name = path.relative_to(root)
        if folder not in RANKS:
            yield f"{name}: the folder {folder} has no rank; give it one in scripts/check_ranks.py"
            continue
        is_test = path.name.endswith("_test.cc") or path.name == "testing.h"
        for include in INCLUDE.findall(path.read_text()):
            yield from judge(name, folder, include, is_test)


def judge(name, folder, include, is_test):
    other = re.match(r'"hone/([a-z]+)/', include)
    if other and other[1] != folder:
        if other[1] not in RANKS:
            yield f"{name}: includes {include}, a folder without a rank"
        elif RANKS[other[1]] >= RANKS[folder] and not is_test:
            yield f"{name}: {folder} (rank {RANKS[folder]}) may not include {include} (rank {RANKS[other[1]]})"
    if is_test:
        return
    if folder in PURE and IO.match(include):
        yield f"{name}: {folder} is pure and may not include {include}"
    if ASIO.match(include) and include not in ASIO_EVERYWHERE and folder not in ASIO_FOLDERS:
        yield f"{name}: only {', '.join(sorted(ASIO_FOLDERS))} may include {include}"
    if include == "<nlohmann/json.hpp>" and str(name).endswith(".h"):
        yield f"{name}: headers include <nlohmann/json_fwd.hpp> only"


def main():
    root = pathlib.Path(__file__).resolve().parent.parent
    found = list(problems(root))
    for problem in found:
        print(problem, file=sys.stderr)
    print(f"{len(found)} broken rank rules")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
