#!/bin/bash
# Compares the lines with the answers.
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

file=/home/student/answers.txt
if ! as_student /usr/bin/test -f "$file"; then
  problem "$file is not a file"
  finish
fi
line() { text "$file" | sed -n "$1p" | sed 's/^[[:space:]]*//; s/[[:space:]]*$//'; }
[ "$(text "$file" | grep -c .)" -eq 3 ] || problem 'there are not three lines'
[ "$(line 1)" = tac ] || problem 'the first answer is not right'
[ "$(line 2)" = 5 ] || problem 'the second answer is not right'
case $(line 3) in
  --sort | --sort=size) ;;
  *) problem 'the third answer is not right' ;;
esac
finish
