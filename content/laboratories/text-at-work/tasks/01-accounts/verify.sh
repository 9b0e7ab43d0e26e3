#!/bin/bash
# Makes the two lists and compares.
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

export LC_ALL=C
names=/home/student/text/names.txt shells=/home/student/text/shells.txt
for file in "$names" "$shells"; do
  as_student /usr/bin/test -f "$file" || problem "$file is not a file"
done
[ "$problems" -eq 0 ] || finish
got=$(text "$names")
want=$(cut -d : -f 1 /etc/passwd | sort)
[ "$(printf '%s\n' "$got" | sort)" = "$want" ] || problem 'names.txt does not hold the names of all accounts and nothing else'
# A locale may ignore what is no letter: that order is as good.
in_order=$(printf '%s\n' "$got" | /usr/bin/env LC_ALL=C.UTF-8 /usr/bin/sort)
loose() { tr -cd 'a-z0-9\n' | tr 'A-Z' 'a-z'; }
if [ "$got" != "$in_order" ] && [ "$(printf '%s\n' "$got" | loose)" != "$(printf '%s\n' "$got" | loose | sort)" ]; then
  problem 'names.txt is not in alphabetical order'
fi
counted=$(cut -d : -f 7 /etc/passwd | sort | uniq -c | awk '{ print $1, $2 }')
got=$(text "$shells" | awk '{ print $1, $2 }')
[ "$(printf '%s\n' "$got" | sort)" = "$(printf '%s\n' "$counted" | sort)" ] || problem 'shells.txt does not count each shell'
numbers=$(printf '%s\n' "$got" | cut -d ' ' -f 1)
[ "$numbers" = "$(printf '%s\n' "$numbers" | sort -rn)" ] || problem 'shells.txt does not begin with the most frequent shell'
finish
