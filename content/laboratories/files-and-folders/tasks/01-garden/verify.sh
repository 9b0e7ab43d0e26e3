#!/bin/bash
# Looks at the tree that was asked for.
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

garden=/home/student/garden
for dir in beds/north beds/south shed; do
  as_student /usr/bin/test -d "$garden/$dir" || problem "$garden/$dir is not a folder"
done
for number in 1 2 3 4 5 6 7 8 9; do
  file=$garden/beds/north/row$number.txt
  if ! as_student /usr/bin/test -f "$file"; then
    problem "$file is not a file"
  elif as_student /usr/bin/test -s "$file"; then
    problem "$file is not empty"
  fi
done
finish
