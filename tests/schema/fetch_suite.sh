#!/bin/bash
# Fetches the official JSON-Schema-Test-Suite into a folder: fetch_suite.sh FOLDER
#
# It is part of the source package of Python's jsonschema, pinned by SHA-256. Nothing of the package
# is run: pip insists on its metadata, and a few lines of ours give them. It is kept in
# $XDG_CACHE_HOME/hone/schema-suite, so that all builds of this machine fetch it once. Prints one
# line saying what is wrong when it fails; exits with 77 if the package cannot be had.
set -euo pipefail

readonly name=jsonschema
readonly version=4.26.0
readonly file="$name-$version.tar.gz"
readonly sha256=0c26707e2efad8aa1bfc5b7ce170f3fccc2e4918ff85989ba9ffa9facb2be326

is_right() { # FILE
  [ -f "$1" ] && echo "$sha256  $1" | sha256sum --check --status
}

[ $# -eq 1 ] || { echo "usage: fetch_suite.sh FOLDER" >&2; exit 1; }
readonly folder=$1
[ -f "$folder/stamp" ] && [ "$(cat "$folder/stamp")" = "$sha256" ] && exit 0

cache="${XDG_CACHE_HOME:-${HOME:-/nonexistent}/.cache}/hone/schema-suite"
mkdir -p "$cache" 2> /dev/null || cache="$folder.cache"
mkdir -p "$cache" "$(dirname "$folder")"
exec 9> "$cache/lock"
flock 9
work=$(mktemp -d "$cache/work.XXXXXX")
trap 'rm -rf "$work"' EXIT

if ! is_right "$cache/$file"; then
  mkdir "$work/hatchling"
  touch "$work/hatchling/__init__.py"
  cat > "$work/hatchling/build.py" << END
import os


def prepare_metadata_for_build_wheel(folder, settings=None):
    name = "$name-$version.dist-info"
    os.mkdir(os.path.join(folder, name))
    with open(os.path.join(folder, name, "METADATA"), "w") as out:
        out.write("Metadata-Version: 2.1\nName: $name\nVersion: $version\n")
    return name
END
  echo "$name==$version --hash=sha256:$sha256" > "$work/requirements.txt"
  if ! PYTHONPATH="$work" python3 -m pip download --quiet --no-input --disable-pip-version-check \
    --no-deps --no-build-isolation --no-binary :all: --require-hashes \
    --requirement "$work/requirements.txt" --dest "$work" > "$work/pip.log" 2>&1; then
    if grep -q -i "do not match the hashes" "$work/pip.log"; then
      echo "the package $name $version has another SHA-256 than the one pinned here" >&2
      exit 1
    fi
    echo "pip cannot fetch $name $version: no network, no pip, or the package is gone" >&2
    exit 77
  fi
  is_right "$work/$file" || { echo "$file has another SHA-256 than the one pinned here" >&2; exit 1; }
  mv "$work/$file" "$cache/$file"
fi

mkdir "$work/suite"
tar xzf "$cache/$file" -C "$work/suite" --strip-components=2 \
  "$name-$version/json/tests" "$name-$version/json/remotes" "$name-$version/json/LICENSE"
echo "$sha256" > "$work/suite/stamp"
rm -rf "$folder"
cp -r "$work/suite" "$folder"
