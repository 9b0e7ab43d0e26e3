#!/bin/bash
# Sends messages that are new each time.
problems=0
problem() {
  printf -- '- %s\n' "$*"
  problems=$((problems + 1))
}
finish() {
  [ "$problems" -eq 0 ] && echo PASS || echo FAIL
  exit
}

log=/var/log/garden.log
token=$(printf '%04x%04x' "$RANDOM" "$RANDOM")
send() { /usr/bin/timeout 3 /usr/bin/logger -p "$1" "$2" </dev/null; }
arrives() {
  for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15; do
    [ -f "$log" ] && tail -c 100000 "$log" | grep -qF "$1" && return
    /usr/bin/sleep 0.2
  done
  return 1
}
send local2.err "foreign-$token"
send local1.debug "low-$token"
send local1.err "high-$token"
if arrives "high-$token"; then
  arrives "low-$token" || problem 'a message of the priority debug does not arrive'
  tail -c 100000 "$log" | grep -qF "foreign-$token" && problem "a message of another facility arrives in $log"
else
  problem "a message of the facility local1 does not arrive in $log"
fi
finish
