#!/bin/bash
# Compares the copies with their originals, as the student.
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

copies=/home/student/copies
if ! as_student /usr/bin/test -d "$copies"; then
  problem "$copies is not a folder"
  finish
fi
want=0
for file in /etc/*.conf; do
  { [ -f "$file" ] && [ ! -L "$file" ]; } || continue
  want=$((want + 1))
  name=${file##*/}
  [ "$name" = debconf.conf ] && name=renamed.conf
  if as_student /usr/bin/test -L "$copies/$name" || ! as_student /usr/bin/test -f "$copies/$name"; then
    problem "$copies/$name is not a file of its own"
  elif ! as_student /usr/bin/cmp -s "$file" "$copies/$name"; then
    problem "$copies/$name has not the content of its original"
  fi
done
got=$(as_student /usr/bin/find "$copies/" -mindepth 1 -printf '.' | wc -c)
[ "$got" -eq "$want" ] || problem "$copies holds $got things, not $want"
finish
