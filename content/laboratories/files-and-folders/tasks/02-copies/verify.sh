#!/bin/bash
# Compares the copies with their originals, in a copy of the folder that the student cannot change meanwhile.

copies=/home/student/copies
if ! is_folder "$copies" || ! snapshot "$copies" copies; then
  problem "$copies is not a folder, or cannot be read"
  verdict
fi
want=0
for file in /etc/*.conf; do
  { [ -f "$file" ] && [ ! -L "$file" ]; } || continue
  want=$((want + 1))
  name=${file##*/}
  [ "$name" = debconf.conf ] && name=renamed.conf
  if ! is_file "$vault/copies/$name"; then
    problem "$copies/$name is not a file of its own"
  elif ! cmp -s "$file" "$vault/copies/$name"; then
    problem "$copies/$name has not the content of its original"
  fi
done
must [ "$want" -gt 0 ]
got=$(must /usr/bin/find "$vault/copies/" -mindepth 1 -printf '.' | wc -c)
[ "$got" -eq "$want" ] || problem "$copies holds $got things, not $want"
verdict
