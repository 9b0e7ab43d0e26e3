#!/bin/bash
# Compares the lines with what the log says. Only root can write to the log.

log=/srv/shop/access.log
file=/home/student/answers.txt
if ! is_file "$file"; then
  problem "$file is not a file"
  verdict
fi
good='NF == 6 && $2 ~ /^[0-9][0-9]:[0-9][0-9]:[0-9][0-9]$/ && $5 ~ /^[0-9][0-9][0-9]$/ && $6 ~ /^[0-9]+$/'
must awk "$good"' { n++; sum += $6; asked[$3]++; if ($5 >= 500) errors++ }
  END { best = ""
    for (a in asked) if (best == "" || asked[a] > asked[best]) best = a
    printf "%d\n%d\n%.0f\n", NR - n, errors, sum
    for (a in asked) if (asked[a] == asked[best]) printf "%s ", a }' "$log" >"$private/want"
mapfile -t want <"$private/want"
must [ "${#want[@]}" -eq 4 ]
must [ "${want[0]}" -gt 0 ]
answers=$(student_file "$file" 20000)
line() { printf '%s\n' "$answers" | sed -n "$1p" | sed 's/^[[:space:]]*//; s/[[:space:]]*$//'; }
[ "$(printf '%s\n' "$answers" | grep -c .)" -eq 4 ] || problem 'there are not four lines'
[ "$(line 1)" = "${want[0]}" ] || problem 'the number of damaged lines is not right'
[ "$(line 2)" = "${want[1]}" ] || problem 'the number of lines with a status of 500 or higher is not right'
[ "$(line 3)" = "${want[2]}" ] || problem 'the sum of the bytes is not right'
case " ${want[3]} " in
  *" $(line 4) "*) ;;
  *) problem 'the address is not right' ;;
esac
[ -n "$(line 4)" ] || problem 'there is no address'
verdict
