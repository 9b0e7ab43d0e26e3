#!/bin/bash
# Looks at what each file holds.
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

folder=/home/student/streams
for name in found errors; do
  as_student /usr/bin/test -f "$folder/$name.txt" || problem "$folder/$name.txt is not a file"
done
[ "$problems" -eq 0 ] || finish
[ "$(text "$folder/found.txt")" = "$(printf '/etc\n/usr\nchecked')" ] ||
  problem 'found.txt does not hold the two results and then the line that was asked for'
case $(text "$folder/errors.txt") in
  *$'\n'*) problem 'errors.txt holds more than one line' ;;
  *ls:*/missing*) ;;
  *) problem 'errors.txt does not hold the message about /missing' ;;
esac
finish
