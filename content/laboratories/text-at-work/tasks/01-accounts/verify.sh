#!/bin/bash
# Makes the two lists and compares.
text() { student_file "$1" 20000; }

export LC_ALL=C
names=/home/student/text/names.txt shells=/home/student/text/shells.txt
for file in "$names" "$shells"; do
  is_file "$file" || problem "$file is not a file"
done
[ "$problems" -eq 0 ] || verdict
got=$(text "$names")
want=$(cut -d : -f 1 /etc/passwd | sort)
must [ -n "$want" ]
[ "$(printf '%s\n' "$got" | sort)" = "$want" ] || problem 'names.txt does not hold the names of all accounts and nothing else'
# A locale may ignore what is no letter: that order is as good.
in_order=$(printf '%s\n' "$got" | /usr/bin/env LC_ALL=C.UTF-8 /usr/bin/sort)
loose() { tr -cd 'a-z0-9\n' | tr 'A-Z' 'a-z'; }
if [ "$got" != "$in_order" ] && [ "$(printf '%s\n' "$got" | loose)" != "$(printf '%s\n' "$got" | loose | sort)" ]; then
  problem 'names.txt is not in alphabetical order'
fi
counted=$(cut -d : -f 7 /etc/passwd | sort | uniq -c | awk '{ print $1, $2 }')
must [ -n "$counted" ]
got=$(text "$shells" | awk '{ print $1, $2 }')
[ "$(printf '%s\n' "$got" | sort)" = "$(printf '%s\n' "$counted" | sort)" ] || problem 'shells.txt does not count each shell'
numbers=$(printf '%s\n' "$got" | cut -d ' ' -f 1)
[ "$numbers" = "$(printf '%s\n' "$numbers" | sort -rn)" ] || problem 'shells.txt does not begin with the most frequent shell'
verdict
