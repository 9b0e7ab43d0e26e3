#!/bin/bash
# Sends messages that are new each time.

log=/var/log/billing.log
token=$(random_token)
send() { /usr/bin/timeout 3 /usr/bin/logger -p "$1" "$2" </dev/null; }
holds() { [ -f "$2" ] && tail -c 200000 "$2" | grep -qF "$1"; }
# arrives FACILITY.PRIORITY TEXT FILE: sends the text, and again each second for four: a message can get lost while rsyslog restarts.
arrives() {
  local tries
  for tries in {0..19}; do
    [ $((tries % 5)) -ne 0 ] || send "$1" "$2"
    holds "$2" "$3" && return
    /usr/bin/sleep 0.2
  done
  return 1
}
if ! arrives local4.err "high-$token" "$log"; then
  problem "a message of the facility local4 does not arrive in $log"
  verdict
fi
for priority in debug info warning emerg; do
  arrives "local4.$priority" "$priority-$token" "$log" || problem "a message of the priority $priority does not arrive"
done
arrives user.notice "foreign-$token" /var/log/syslog || problem 'messages of other facilities do not arrive in /var/log/syslog'
holds "foreign-$token" "$log" && problem "messages of other facilities arrive in $log"
for priority in high info warning; do
  find /var/log -type f ! -path "$log" -newer "$private/sound" -exec grep -lF "$priority-$token" {} + 2>/dev/null | grep -q . &&
    problem 'messages of local4 arrive in another file as well'
done
verdict
