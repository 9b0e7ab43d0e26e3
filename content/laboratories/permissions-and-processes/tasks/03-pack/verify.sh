#!/bin/bash
# Lists and unpacks the archive as the student, and compares.
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

pack=/home/student/pack
for name in ssh.tar.gz contents.txt; do
  as_student /usr/bin/test -f "$pack/$name" || problem "$pack/$name is not a file"
done
[ "$problems" -eq 0 ] || finish
export LC_ALL=C
names=$(as_student /usr/bin/tar -tzf "$pack/ssh.tar.gz" | head -c 100000)
if [ -z "$names" ]; then
  problem 'gzip and tar cannot read the archive'
  finish
fi
printf '%s\n' "$names" | grep -qv '^ssh/' && problem 'a name in the archive does not begin with ssh/'
checked=0
while IFS= read -r file; do
  checked=$((checked + 1))
  want=$(as_student /usr/bin/sha256sum "/etc/$file" | cut -d ' ' -f 1)
  got=$(as_student /usr/bin/tar -xzOf "$pack/ssh.tar.gz" "$file" | head -c 5000000 | sha256sum | cut -d ' ' -f 1)
  [ "$got" = "$want" ] || problem "the archive does not hold $file as it is in /etc"
done < <(as_student /usr/bin/find /etc/ssh -type f -readable -printf 'ssh/%P\n' | head -n 30)
[ "$checked" -gt 0 ] || problem 'there is nothing to compare'
[ "$(text "$pack/contents.txt" | sort)" = "$(printf '%s\n' "$names" | sort)" ] ||
  problem 'contents.txt is not the list of the names in the archive'
finish
