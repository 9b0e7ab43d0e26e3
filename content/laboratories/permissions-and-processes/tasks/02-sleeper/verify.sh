#!/bin/bash
# Looks the process up in /proc by the number in the file.
problems=0
problem() {
  printf -- '- %s\n' "$*"
  problems=$((problems + 1))
}
finish() {
  [ "$problems" -eq 0 ] && echo PASS || echo FAIL
  exit
}
as_student() {
  /usr/bin/timeout -k 1 5 /usr/bin/setpriv --reuid 1000 --regid 1000 --clear-groups -- \
    /usr/bin/env -i HOME=/home/student USER=student LANG=C.UTF-8 PATH=/usr/local/bin:/usr/bin:/bin "$@" </dev/null 2>/dev/null
}
# The beginning of a file, read with the student's rights.
text() { as_student /usr/bin/head -c 20000 "$1" | tr -d '\000'; }

file=/home/student/sleeper.pid
pid=$(text "$file")
case $pid in
  '' | *[!0-9]*)
    problem "$file does not hold one process id and nothing else"
    finish
    ;;
esac
if [ "${#pid}" -gt 9 ] || [ ! -d "/proc/$pid" ]; then
  problem 'there is no process with that id'
  finish
fi
stat_of() { sed 's/.*) //' "/proc/$pid/stat" 2>/dev/null | cut -d ' ' -f "$(($1 - 2))"; }
case $(tr '\000' ' ' <"/proc/$pid/cmdline" | head -c 200) in
  'sleep 8001 ' | '/usr/bin/sleep 8001 ' | '/bin/sleep 8001 ') ;;
  *) problem 'that process is not "sleep 8001"' ;;
esac
[ "$(as_student /usr/bin/readlink "/proc/$pid/exe")" = "$(/usr/bin/readlink -f /usr/bin/sleep)" ] ||
  problem 'that process is not yours, or does not run the program sleep'
[ "$(stat_of 19)" = 10 ] || problem "that process has the nice value $(stat_of 19)"
case $(stat_of 3) in
  [SR]) ;;
  *) problem "that process is in the state $(stat_of 3)" ;;
esac
finish
