#!/bin/bash
# Compares the permissions, and runs the script as its owner.
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

vault=/home/student/vault
for thing in d:vault f:vault/key.txt f:vault/open.sh; do
  path=/home/student/${thing#*:}
  if [ -L "$path" ] || ! as_student /usr/bin/test "-${thing%%:*}" "$path"; then
    problem "$path is not there, or is something else"
  fi
done
[ "$problems" -eq 0 ] || finish
mode() { as_student /usr/bin/stat -c %a "$1"; }
[ "$(mode "$vault")" = 750 ] || problem "vault has the mode $(mode "$vault")"
[ "$(mode "$vault/key.txt")" = 600 ] || problem "key.txt has the mode $(mode "$vault/key.txt")"
[ "$(mode "$vault/open.sh")" = 750 ] || problem "open.sh has the mode $(mode "$vault/open.sh")"
[ "$(text "$vault/key.txt")" = secret ] || problem 'key.txt does not hold the line that was asked for'
said=$(/usr/bin/mktemp /tmp/check.XXXXXXXX) || exit 1
trap '/usr/bin/rm -f "$said"' EXIT
(ulimit -f 100 && as_student "$vault/open.sh" >"$said")
[ "$(head -c 200 "$said" | tr -d '\000')" = open ] || problem 'open.sh does not print what was asked for'
finish
