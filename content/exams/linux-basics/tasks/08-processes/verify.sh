#!/bin/bash
# Looks the processes up by the numbers in the student's files, in /proc.
status_of() { sed -n "s/^$2:[[:space:]]*//p" "/proc/$1/status" 2>/dev/null | head -n 1; }
# Field N of /proc/PID/stat, counted behind the name, which can hold blanks and brackets.
stat_of() { sed 's/.*) //' "/proc/$1/stat" 2>/dev/null | cut -d ' ' -f "$(($2 - 2))"; }

# check NAME SECONDS STATES [NICE]: STATES are letters of /proc/PID/stat
check() {
  local file=/home/student/processes/$1.pid pid uid tty ignored command
  echo "Looking at $1"
  if ! is_file "$file"; then
    problem "$file is not a file"
    return
  fi
  pid=$(student_file "$file" 100)
  case $pid in
    '' | *[!0-9]*)
      problem "$file does not hold one process id and nothing else"
      return
      ;;
  esac
  if [ "${#pid}" -gt 9 ] || [ ! -d "/proc/$pid" ]; then
    problem "there is no process with the id in $file"
    return
  fi
  uid=$(status_of "$pid" Uid | cut -f 1)
  command=$(tr '\000' ' ' <"/proc/$pid/cmdline" | head -c 200)
  case $command in
    "sleep $2 " | "/usr/bin/sleep $2 " | "/bin/sleep $2 ") ;;
    *) problem "the process in $file is not \"sleep $2\"" ;;
  esac
  # Only the owner may see which program a process runs.
  [ "$(as_student "$closed" readlink "/proc/$pid/exe")" = "$(/usr/bin/readlink -f /usr/bin/sleep)" ] ||
    problem "the process in $file does not run the program sleep"
  [ "$uid" = 1000 ] || problem "the process in $file is not yours"
  [ -z "$4" ] || [ "$(stat_of "$pid" 19)" = "$4" ] || problem "the process in $file has the nice value $(stat_of "$pid" 19)"
  case $(stat_of "$pid" 3) in
    [$3]) ;;
    *) problem "the process in $file is in the state $(stat_of "$pid" 3)" ;;
  esac
  tty=$(stat_of "$pid" 7)
  ignored=$(status_of "$pid" SigIgn)
  if [ "$tty" != 0 ] && [ $((0x${ignored:-0} & 1)) -eq 0 ]; then
    problem "the process in $file has a controlling terminal and does not ignore the hangup signal"
  fi
}
check low "$PARAM_LOW" SR "$PARAM_NICE"
check paused "$PARAM_PAUSED" T

verdict
