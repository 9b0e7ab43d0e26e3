#!/bin/bash
# Reads the crontab, then runs the script as cron would.

/usr/bin/pgrep -x cron >/dev/null || problem 'the cron daemon is not running'
jobs=$(/usr/bin/timeout 3 /usr/bin/crontab -u student -l 2>/dev/null </dev/null |
  sed 's/^[[:space:]]*//' | grep -v -e '^#' -e '^$' -e '^[A-Za-z_][A-Za-z_0-9]*[[:space:]]*=')
if [ "$(printf '%s' "$jobs" | grep -c .)" -ne 1 ]; then
  problem 'the crontab of student does not hold exactly one job'
  verdict
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
count() { student_file /home/student/ticks.txt 1000000 | grep -cx tick; }
before=$(count)
as_student -l -C /home/student /usr/bin/env -i HOME=/home/student LOGNAME=student SHELL=/bin/sh PATH=/usr/bin:/bin \
  /bin/sh -c /home/student/bin/tick >/dev/null
if [ "$(count)" -eq $((before + 1)) ]; then
  # The line of this run goes again; the job's own stay.
  as_student /usr/bin/sed -i '$d' /home/student/ticks.txt
else
  problem 'the script does not append one line to ticks.txt'
fi
verdict
