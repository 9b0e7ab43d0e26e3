#!/bin/bash
# Compares the permissions, and runs the script as its owner.
text() { student_file "$1" 20000; }

vault=/home/student/vault
for thing in d:vault f:vault/key.txt f:vault/open.sh; do
  path=/home/student/${thing#*:}
  if [ -L "$path" ] || [ ! "-${thing%%:*}" "$path" ]; then
    problem "$path is not there, or is something else"
  fi
done
[ "$problems" -eq 0 ] || verdict
mode() { must /usr/bin/stat -c %a "$1"; }
[ "$(mode "$vault")" = 750 ] || problem "vault has the mode $(mode "$vault")"
[ "$(mode "$vault/key.txt")" = 600 ] || problem "key.txt has the mode $(mode "$vault/key.txt")"
[ "$(mode "$vault/open.sh")" = 750 ] || problem "open.sh has the mode $(mode "$vault/open.sh")"
[ "$(text "$vault/key.txt")" = secret ] || problem 'key.txt does not hold the line that was asked for'
as_student -f 100 "$vault/open.sh" >"$private/said"
[ "$(head -c 200 "$private/said" | tr -d '\000')" = open ] || problem 'open.sh does not print what was asked for'
verdict
