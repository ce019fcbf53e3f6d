#!/bin/bash
# Fetches the official JSON-Schema-Test-Suite into a folder: fetch_suite.sh FOLDER
#
# It is part of the source package of Python's jsonschema, pinned by SHA-256. Nothing of the package
# is run: pip insists on its metadata, and a few lines of ours give them. Prints one line saying what
# is wrong when it fails; exits with 77 if the package cannot be had.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/../../scripts/fetching.sh"

readonly name=jsonschema
readonly version=4.26.0
readonly file="$name-$version.tar.gz"
readonly sha256=0c26707e2efad8aa1bfc5b7ce170f3fccc2e4918ff85989ba9ffa9facb2be326

[ $# -eq 1 ] || fail "usage: fetch_suite.sh FOLDER"
readonly folder=$1
is_there "$folder" "$sha256" && exit 0
open_cache schema-suite "$folder"

if ! is_right "$cache/$file" "$sha256"; then
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
    ! grep -q -i "do not match the hashes" "$work/pip.log" ||
      fail "the package $name $version has another SHA-256 than the one pinned here"
    fail "pip cannot fetch $name $version: no network, no pip, or the package is gone" 77
  fi
  is_right "$work/$file" "$sha256" || fail "$file has another SHA-256 than the one pinned here"
  mv "$work/$file" "$cache/$file"
fi

mkdir "$work/suite"
tar xzf "$cache/$file" -C "$work/suite" --strip-components=2 \
  "$name-$version/json/tests" "$name-$version/json/remotes" "$name-$version/json/LICENSE"
echo "$sha256" > "$work/suite/stamp"
rm -rf "$folder"
cp -r "$work/suite" "$folder"
