#!/bin/sh
# Runs its arguments by the Node that npm installed. Where that does not load (minimal systems have no libatomic), by the machine's
# own, if it is new enough; else it says in one line what to install. `exec`, so that signals reach Node itself.
needed=26
case $0 in
  /*) here=${0%/*} ;;
  */*) here=$PWD/${0%/*} ;;
  *) here=$PWD ;;
esac
# What was compiled once need not be compiled at every start. Said here, so that the first file has it too: then nothing that strips
# types is loaded at all, which is a fifth of the memory at rest.
export NODE_COMPILE_CACHE="${NODE_COMPILE_CACHE-$here/../node_modules/.cache/gatehouse}"
# Each thread would keep pools of memory of its own: a tenth of all at rest.
export MALLOC_ARENA_MAX="${MALLOC_ARENA_MAX-2}"
installed=$here/../node_modules/.bin/node

if fault=$("$installed" --version 2>&1 >/dev/null); then exec "$installed" "$@"; fi

IFS=:
for folder in $PATH; do
  case $folder in */node_modules/.bin | '') continue ;; esac
  [ -x "$folder/node" ] || continue
  version=$("$folder/node" --version 2>/dev/null) || continue
  version=${version#v}
  if [ "${version%%.*}" -ge $needed ] 2>/dev/null; then
    unset IFS
    exec "$folder/node" "$@"
  fi
done

case $fault in
  *libatomic*) echo "Gatehouse needs libatomic: install it (Debian, Ubuntu: apt-get install libatomic1; Fedora: dnf install libatomic) or Node $needed." ;;
  *) echo "The Node that npm installed does not run here; run npm install again, or install Node $needed or newer. It says: ${fault%%
*}" ;;
esac >&2
exit 1
