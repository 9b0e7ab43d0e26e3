#!/bin/bash
# Sends messages that are new each time.

log=/var/log/garden.log
token=$(random_token)
send() { /usr/bin/timeout 3 /usr/bin/logger -p "$1" "$2" </dev/null; }
holds() { [ -f "$log" ] && tail -c 100000 "$log" | grep -qF "$1"; }
# arrives PRIORITY TEXT: sends the text, and again each second for three: while the system log starts anew, a message is lost.
arrives() {
  local tries
  for tries in {0..14}; do
    [ $((tries % 5)) -ne 0 ] || send "local1.$1" "$2"
    holds "$2" && return
    /usr/bin/sleep 0.2
  done
  return 1
}
if arrives err "high-$token"; then
  send local2.err "foreign-$token"
  arrives debug "low-$token" || problem 'a message of the priority debug does not arrive'
  holds "foreign-$token" && problem "a message of another facility arrives in $log"
else
  problem "a message of the facility local1 does not arrive in $log"
fi
verdict
