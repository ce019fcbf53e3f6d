# What the scripts that fetch pinned packages share; to be sourced.
#
# Packages are kept in $XDG_CACHE_HOME/hone, so that all builds of this machine fetch them once, and
# are checked every time they are used.

fail() { # SENTENCE [EXIT]
  echo "$1" >&2
  exit "${2:-1}"
}

is_right() { # FILE SHA256
  [ -f "$1" ] && echo "$2  $1" | sha256sum --check --status
}

is_there() { # FOLDER STAMP: the folder was made from just this
  [ -f "$1/stamp" ] && [ "$(cat "$1/stamp")" = "$2" ]
}

need() { # TOOL…
  local tool
  for tool in "$@"; do
    command -v "$tool" > /dev/null || fail "$tool is not installed"
  done
}

# Sets `cache`, which others wait for until this script ends, and `work`, which goes with it.
open_cache() { # NAME FOLDER
  cache="${XDG_CACHE_HOME:-${HOME:-/nonexistent}/.cache}/hone/$1"
  mkdir -p "$cache" 2> /dev/null || cache="$2.cache"
  mkdir -p "$cache" "$(dirname "$2")"
  exec 9> "$cache/lock"
  flock 9
  work=$(mktemp -d "$cache/work.XXXXXX")
  trap 'rm -rf "$work"' EXIT
}
