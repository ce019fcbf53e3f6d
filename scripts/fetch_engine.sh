#!/bin/bash
# Fetches the prebuilt inference engine and its headers into a folder: fetch_engine.sh FOLDER
#
# Two npm packages, pinned by SHA-256 and checked every time they are used: one holds the libraries,
# the other the source they were built from (as a git bundle), of which the headers are taken.
# Nothing of the packages is run. Prints one line saying what is wrong when it fails.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/fetching.sh"
unset GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE

readonly version=3.22.1
readonly libraries="@node-llama-cpp/linux-x64@$version"
readonly libraries_file="node-llama-cpp-linux-x64-$version.tgz"
readonly libraries_sha256=0d953e1503d5ab4608d8ed5b739132308c81ac05ffeb760d2a7f30e08a9f90e0
readonly source="node-llama-cpp@$version"
readonly source_file="node-llama-cpp-$version.tgz"
readonly source_sha256=a0d9dd80eacd2ab1cfe71aee57ac8a806487fd70b3d2a38fbec637752d9e5c5f
readonly stamp="$libraries_sha256 $source_sha256"

fetch() { # PACKAGE FILE SHA256
  is_right "$cache/$2" "$3" && return
  rm -f "$cache/$2"
  command -v npm >/dev/null || fail "npm is not installed"
  (cd "$work" && npm pack --silent --ignore-scripts "$1" >npm.log 2>&1) ||
    fail "npm cannot fetch $1: no network, or the package is gone"
  is_right "$work/$2" "$3" || fail "$1 has another SHA-256 than the one pinned here"
  mv "$work/$2" "$cache/$2"
}

[ $# -eq 1 ] || fail "usage: fetch_engine.sh FOLDER"
readonly folder=$1
is_there "$folder" "$stamp" && exit 0
[ "$(uname -sm)" = "Linux x86_64" ] || fail "there is no prebuilt engine for $(uname -sm)"
need git tar sha256sum flock
open_cache "engine/$version" "$folder"

fetch "$libraries" "$libraries_file" "$libraries_sha256"
fetch "$source" "$source_file" "$source_sha256"

mkdir "$work/engine"
tar xzf "$cache/$libraries_file" -C "$work/engine" --strip-components=3 package/bins
rm -f "$work/engine/llama-addon.node" "$work/engine/libllama-common.so"
tar xzf "$cache/$source_file" -C "$work" package/llama/gitRelease.bundle
git init --quiet --bare --template= "$work/source.git"
git -C "$work/source.git" fetch --quiet "$work/package/llama/gitRelease.bundle" HEAD
git -C "$work/source.git" archive FETCH_HEAD include ggml/include LICENSE |
  tar x -C "$work/engine"
echo "$stamp" >"$work/engine/stamp"
rm -rf "$folder"
cp -r "$work/engine" "$folder.new"
mv "$folder.new" "$folder"
