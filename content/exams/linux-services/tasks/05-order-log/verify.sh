#!/bin/bash
# Sends messages of its own to the system log, rotates the file, and follows what becomes of them.

log=/var/log/orders.log
rules=/etc/logrotate.d/orders
token=$(random_token)
holds() { # holds FILE TEXT
  [ -f "$1" ] && [ ! -L "$1" ] && tail -c 200000 "$1" | grep -qF "$2"
}
send() { /usr/bin/timeout 3 /usr/bin/logger -p "$1" "$2"; }
# arrives FILE TEXT [FACILITY.PRIORITY]: waits up to 3 seconds. With the last argument the text is sent, and sent
# again each second: while the system log starts anew a message is lost, and right after a rotation it can still go to the old file.
arrives() {
  local tries=0
  until holds "$1" "$2"; do
    [ "$tries" -lt 30 ] || return 1
    [ -z "$3" ] || [ $((tries % 10)) -ne 0 ] || send "$3" "$2"
    tries=$((tries + 1))
    /usr/bin/sleep 0.1
  done
}

echo 'Sending messages to the system log'
if ! arrives "$log" "order-$token" local3.err; then
  problem "a message of the facility local3 does not arrive in $log"
  verdict
fi
arrives "$log" "low-$token" local3.debug || problem 'a message of the facility local3 and the priority debug does not arrive'
arrives /var/log/syslog "foreign-$token" local4.crit || problem 'a message of the facility local4 no longer arrives in /var/log/syslog'
holds "$log" "foreign-$token" && problem "a message of the facility local4 arrives in $log"
holds /var/log/syslog "order-$token" && problem 'a message of the facility local3 arrives in /var/log/syslog too'
mode=$(/usr/bin/stat -c %a "$log")
[ "$mode" = 640 ] || problem "$log has the mode $mode"

echo 'Rotating the log'
if [ -L "$rules" ] || [ ! -f "$rules" ]; then
  problem "$rules is not a regular file"
  verdict
fi
# The system's general settings hold, but no other log is rotated by the way.
grep -v '^[[:space:]]*include' /etc/logrotate.conf >"$private/conf"
echo "include $rules" >>"$private/conf"
rotate() { # rotate DATE [OPTION]: DATE is that of the last rotation
  printf 'logrotate state -- version 2\n"%s" %s\n' "$log" "$1" >"$private/state"
  system logrotate ${2:+"$2"} -s "$private/state" "$private/conf" >"$private/out" 2>&1
}
long_ago=$(/usr/bin/date -d '2 days ago' +%Y-%-m-%-d-%-H:0:0)
today=$(/usr/bin/date +%Y-%-m-%-d-0:0:0)

rotate "$today"
holds "$log" "order-$token" || problem 'the log is rotated a second time on the same day'
rotate "$long_ago"
status=$?
if [ "$status" -ne 0 ] || grep -qi '^error' "$private/out"; then
  problem "logrotate finds an error: $(grep -i error "$private/out" | head -n 1 | tr -cd '\040-\176' | head -c 300)"
  verdict
fi
if holds "$log" "order-$token"; then
  problem 'the log is not rotated when the last rotation was two days ago'
  verdict
fi
newest_holds() { gzip -dc "$log.1.gz" 2>/dev/null | head -c 1000000 | grep -qF "$1"; }
if ! newest_holds "order-$token"; then
  problem "$log.1.gz does not hold the messages from before the rotation"
elif [ ! -s "$log" ]; then
  rotate "$long_ago"
  newest_holds "order-$token" || problem 'the log is rotated although it is empty'
fi

echo 'Rotating it six times more'
for number in 1 2 3 4 5 6; do
  if ! arrives "$log" "round-$number-$token" local3.info; then
    problem "after a rotation, messages do not arrive in $log"
    verdict
  fi
  rotate "$today" -f
done
for number in 1 2 3 4 5; do
  gzip -dc "$log.$number.gz" 2>/dev/null | head -c 1000000 | grep -qF "round-$((7 - number))-$token" ||
    problem "$log.$number.gz does not hold the messages that it should"
done
kept=0
for file in "$log".* "$log"-*; do
  [ -e "$file" ] && kept=$((kept + 1))
done
[ "$kept" -eq 5 ] || problem "$kept rotated files are kept"
if [ -f "$log" ]; then
  mode=$(/usr/bin/stat -c %a "$log")
  [ "$mode" = 640 ] || problem "after a rotation the new $log has the mode $mode"
else
  problem "after a rotation there is no $log"
fi
verdict
