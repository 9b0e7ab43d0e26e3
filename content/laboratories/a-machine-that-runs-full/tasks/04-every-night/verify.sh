#!/bin/bash
# Reads the crontab, then runs its command as cron would.

is_folder /home/student/export || problem '/home/student/export is not a folder'
/usr/bin/pgrep -x cron >/dev/null || problem 'the cron daemon is not running'
jobs=$(/usr/bin/timeout 3 /usr/bin/crontab -u student -l 2>/dev/null </dev/null |
  sed 's/^[[:space:]]*//' | grep -v -e '^#' -e '^$' -e '^[A-Za-z_][A-Za-z_0-9]*[[:space:]]*=')
if [ "$(printf '%s' "$jobs" | grep -c .)" -ne 1 ]; then
  problem 'the crontab of student does not have exactly one job'
  verdict
fi
read -r minute hour day month weekday command <<<"$jobs"
[ "$minute $hour" = '17 3' ] || [ "$minute $hour" = '17 03' ] || problem 'the job does not run at 03:17'
[ "$day $month $weekday" = '* * *' ] || problem 'the job does not run each day'
case $command in
  *%*) problem 'the command has a %, which cron takes for a line end' ;;
  *bin/prune*) ;;
  *) problem 'the job does not run prune' ;;
esac
[ "$problems" -eq 0 ] || verdict
# With a number of files that is above the limit, and an error that has to be logged.
log=/home/student/prune.log
for number in 01 02 03 04 05 06 07 08 09 10 11 12 13 14 15; do
  must as_student /usr/bin/touch "/home/student/export/meter-1999-01-$number.csv"
done
as_cron() {
  as_student -l -t 8 -C /home/student /usr/bin/env -i HOME=/home/student LOGNAME=student SHELL=/bin/sh PATH=/usr/bin:/bin \
    /bin/sh -c "$command"
}
as_cron >"$private/out" 2>&1
[ ! -s "$private/out" ] || problem 'the job prints something, which cron would mail'
left=0
for number in 01 02 03 04 05 06 07 08 09 10 11 12 13 14 15; do
  [ -e "/home/student/export/meter-1999-01-$number.csv" ] && left=$((left + 1))
done
[ "$left" -le 14 ] || problem 'the job does not delete what is too much'
[ -e /home/student/export/meter-1999-01-01.csv ] && [ "$left" -gt 0 ] && problem 'the job does not delete the oldest first'
is_file "$log" || problem "$log is not a file"
as_student /usr/bin/find /home/student/export -maxdepth 1 -name 'meter-1999-01-*.csv' -delete
# While root holds the lock prune complains, and the complaint is logged.
lock=/home/student/export/.lock
if ! is_file "$lock"; then
  problem 'the job does not run prune on /home/student/export'
  verdict
fi
exec 8<>"$lock"
must /usr/bin/flock -n 8
before=$(student_file "$log" 1000000 | wc -c)
as_cron >"$private/out" 2>&1
after=$(student_file "$log" 1000000 | wc -c)
exec 8>&-
[ ! -s "$private/out" ] || problem 'a failing job prints something, which cron would mail'
[ "$after" -gt "$before" ] || problem "the message of a failing job is not appended to $log"
if [ "$after" -gt "$before" ]; then as_student /usr/bin/truncate -s "$before" "$log"; fi
verdict
