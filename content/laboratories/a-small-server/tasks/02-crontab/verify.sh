#!/bin/bash
# Reads the crontab, then runs the script as cron would.
problems=0
problem() {
  printf -- '- %s\n' "$*"
  problems=$((problems + 1))
}
finish() {
  [ "$problems" -eq 0 ] && echo PASS || echo FAIL
  exit
}
# The system's programs get the system's PATH: the grader's tools come first on ours.
system() {
  /usr/bin/timeout 8 /usr/bin/env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 "$@" </dev/null
}
as_student() {
  /usr/bin/timeout -k 1 5 /usr/bin/setpriv --reuid 1000 --regid 1000 --clear-groups -- \
    /usr/bin/env -i HOME=/home/student LOGNAME=student SHELL=/bin/sh PATH=/usr/bin:/bin "$@" </dev/null 2>/dev/null
}

/usr/bin/pgrep -x cron >/dev/null || problem 'the cron daemon is not running'
jobs=$(/usr/bin/timeout 3 /usr/bin/crontab -u student -l 2>/dev/null </dev/null |
  sed 's/^[[:space:]]*//' | grep -v -e '^#' -e '^$' -e '^[A-Za-z_][A-Za-z_0-9]*[[:space:]]*=')
if [ "$(printf '%s' "$jobs" | grep -c .)" -ne 1 ]; then
  problem 'the crontab of student does not hold exactly one job'
  finish
fi
read -r minute hour day month weekday command <<<"$jobs"
case $minute in
  '*/15' | '0,15,30,45' | '0-59/15' | '0-45/15') ;;
  *) problem 'the job does not run every quarter of an hour' ;;
esac
[ "$hour $day $month $weekday" = '* * * *' ] || problem 'the job does not run each hour of each day'
case $command in
  */bin/tick*) ;;
  *) problem 'the job does not run /home/student/bin/tick' ;;
esac
count() { as_student /usr/bin/head -c 1000000 /home/student/ticks.txt | grep -cx tick; }
before=$(count)
(cd /home/student && ulimit -f 10000 && as_student /bin/sh -c /home/student/bin/tick >/dev/null)
if [ "$(count)" -eq $((before + 1)) ]; then
  # The line of this run goes again; the job's own stay.
  as_student /usr/bin/sed -i '$d' /home/student/ticks.txt
else
  problem 'the script does not append one line to ticks.txt'
fi
finish
