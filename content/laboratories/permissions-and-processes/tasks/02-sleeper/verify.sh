#!/bin/bash
# Looks the process up in /proc by the number in the file.
text() { student_file "$1" 20000; }

file=/home/student/sleeper.pid
pid=$(text "$file")
case $pid in
  '' | *[!0-9]*)
    problem "$file does not hold one process id and nothing else"
    verdict
    ;;
esac
if [ "${#pid}" -gt 9 ] || [ ! -d "/proc/$pid" ]; then
  problem 'there is no process with that id'
  verdict
fi
stat_of() { sed 's/.*) //' "/proc/$pid/stat" 2>/dev/null | cut -d ' ' -f "$(($1 - 2))"; }
case $(tr '\000' ' ' <"/proc/$pid/cmdline" | head -c 200) in
  'sleep 8001 ' | '/usr/bin/sleep 8001 ' | '/bin/sleep 8001 ') ;;
  *) problem 'that process is not "sleep 8001"' ;;
esac
[ "$(as_student "$closed" readlink "/proc/$pid/exe")" = "$(/usr/bin/readlink -f /usr/bin/sleep)" ] ||
  problem 'that process is not yours, or does not run the program sleep'
[ "$(stat_of 19)" = 10 ] || problem "that process has the nice value $(stat_of 19)"
case $(stat_of 3) in
  [SR]) ;;
  *) problem "that process is in the state $(stat_of 3)" ;;
esac
verdict
