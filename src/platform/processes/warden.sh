#!/bin/sh
# Sets limits of running processes for the service, and ends the processes that carry its marker when it is gone, however it ended:
# its end of the pipe closes then. The first argument is the marker, `NAME=value`. A line of the input is the id of a process, the
# bytes of memory and the seconds of processor time that it may use.
trap '' HUP INT TERM
while read -r id memory cpu; do
  prlimit --pid "$id" --data="$memory" --cpu="$cpu:$((cpu + 5))" 2>&-
done
# What they start meanwhile needs another look, and so does what was just about to start: two looks find nothing, a second apart, before
# this ends. One that waits for a disk may not end for long, and is waited for no longer.
empty=0
for _ in 1 2 3 4 5 6 7 8 9 10; do
  found=$(grep -lzsxF -e "$1" /proc/[0-9]*/environ)
  if [ "$found" ]; then
    empty=0
  else
    empty=$((empty + 1))
    [ "$empty" -lt 2 ] || exit 0
  fi
  for file in $found; do
    id=${file#/proc/}
    kill -KILL "${id%/environ}" 2>&-
  done
  sleep 1
done
