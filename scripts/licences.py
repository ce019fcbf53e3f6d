#!/usr/bin/env python3
"""Lists the licences of the Rust crates that are linked into hone, as in NOTICE.

usage: scripts/licences.py [--cargo CARGO]

Reads rust/Cargo.lock through `cargo metadata --locked` and fails if a crate has a licence outside
the allow-list. Crates for other systems and for building only are listed too: the lock file names
them, and what is allowed here is allowed everywhere.
"""

import argparse
import json
import pathlib
import re
import subprocess
import sys

ALLOWED = {
    "MIT",
    "MIT-0",
    "Apache-2.0",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "ISC",
    "Unicode-3.0",
    "Zlib",
    "0BSD",
    "BSL-1.0",
    "CC0-1.0",
}
MANIFEST = pathlib.Path(__file__).resolve().parent.parent / "rust" / "Cargo.toml"


def crates(cargo):
    command = [cargo, "metadata", "--locked", "--format-version", "1"]
    done = subprocess.run(
        [*command, "--manifest-path", str(MANIFEST)], capture_output=True, text=True, check=False
    )
    if done.returncode != 0:
        sys.exit(f"cargo metadata failed:\n{done.stderr}")
    packages = json.loads(done.stdout)["packages"]
    return sorted((p for p in packages if p["source"]), key=lambda p: (p["name"], p["version"]))


def may_be_used(expression):
    """Whether an SPDX expression can be satisfied with allowed licences alone."""
    # Older crates write MIT/Apache-2.0 for a choice. AND binds closer than OR.
    text = expression.replace("/", " OR ")
    while "(" in text:
        text = re.sub(r"\(([^()]*)\)", lambda m: "MIT" if may_be_used(m[1]) else "refused", text)
    return any(
        all(name.strip() in ALLOWED for name in choice.split(" AND "))
        for choice in text.split(" OR ")
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--cargo", default="cargo")
    found = crates(parser.parse_args().cargo)
    refused = []
    for crate in found:
        licence = crate["license"] or "none stated"
        print(f"{crate['name']:<28} {crate['version']:<20} {licence}")
        if not may_be_used(licence):
            refused.append(f"{crate['name']} {crate['version']}: {licence}")
    print(f"{len(found)} crates, {len(refused)} with a licence that is not allowed")
    for line in refused:
        print(line, file=sys.stderr)
    return 1 if refused else 0


if __name__ == "__main__":
    sys.exit(main())
