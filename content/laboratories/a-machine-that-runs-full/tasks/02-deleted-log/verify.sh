#!/bin/bash
# Looks for the deleted file among the open ones, and waits for a new line in the log.

log=/var/log/meter.log
is_file "$log" || problem "$log is not a file"
open=0 running=0
for process in /proc/[0-9]*; do
  case $(tr '\000' ' ' <"$process/cmdline" 2>/dev/null | head -c 200) in
    '/bin/bash /usr/local/bin/meter '*) running=$((running + 1)) ;;
  esac
  for descriptor in "$process"/fd/*; do
    [ "$(readlink "$descriptor" 2>/dev/null)" = "$log (deleted)" ] && open=$((open + 1))
  done
done
[ "$open" -eq 0 ] || problem 'a process still has the deleted log open'
[ "$running" -gt 0 ] || problem 'the service meter is not running'
if [ "$problems" -eq 0 ]; then
  before=$(stat -c %s "$log")
  for _ in {1..40}; do
    [ "$(stat -c %s "$log")" -gt "$before" ] && break
    /usr/bin/sleep 0.25
  done
  [ "$(stat -c %s "$log")" -gt "$before" ] || problem "nothing is written to $log"
  [ "$(system systemctl is-active meter)" = active ] || problem 'the service meter is not active'
fi
verdict
