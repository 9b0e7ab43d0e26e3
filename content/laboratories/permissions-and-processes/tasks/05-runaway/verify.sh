#!/bin/bash
# Looks both processes up in /proc. Only root can read which process the indexer is.

read -r pid start </root/indexer
must [ -n "$start" ]
for process in /proc/[0-9]*; do
  case $(tr '\000' ' ' <"$process/cmdline" 2>/dev/null | head -c 200) in
    *'/opt/lab/harvest '*) problem 'harvest is still running' ;;
  esac
done
stat=$(sed 's/.*) //' "/proc/$pid/stat" 2>/dev/null)
if [ "$(printf '%s' "$stat" | cut -d ' ' -f 20)" != "$start" ]; then
  problem 'the indexer has been ended'
else
  case $stat in
    [SRD]*) ;;
    *) problem 'the indexer is stopped' ;;
  esac
fi
verdict
