#!/bin/sh
# Runs a command until the guard's standard input is closed. The starter holds the other end, so
# that even a starter killed by SIGKILL leaves nothing running. usage: guard.sh SIGNAL GRACE_SECONDS
# command [argument...]
#   SIGNAL asks the command to stop; after GRACE_SECONDS everything in this process group is killed.
# Run it in a process group of its own. Its exit code is the command's.
signal=$1
grace=$2
shift 2

exec 3<&0
"$@" </dev/null 3<&- &
child=$!

(
  trap '' INT TERM HUP
  cat <&3 >/dev/null
  kill -s "$signal" "$child" 2>/dev/null
  while [ "$grace" -gt 0 ] && kill -0 "$child" 2>/dev/null; do
    sleep 1
    grace=$((grace - 1))
  done
  kill -0 "$child" 2>/dev/null && kill -s KILL 0
) &
watcher=$!
exec 3<&-

# A signal to the guard is one to the command; waiting goes on until the command has ended.
trap 'kill -s "$signal" "$child" 2>/dev/null' INT TERM HUP
code=0
while :; do
  wait "$child"
  code=$?
  kill -0 "$child" 2>/dev/null || break
done
kill -s KILL "$watcher" 2>/dev/null
exit "$code"
