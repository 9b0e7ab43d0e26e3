#!/bin/bash
# Runs the script, as the student, on logs that are new each time.

script=/home/student/bin/top-addresses
if ! is_file "$script" || ! as_student /usr/bin/test -x "$script"; then
  problem "$script is not a file that you can run"
  verdict
fi
export LC_ALL=C
# make_log FILE LINES DAMAGED: writes a log that is new each time.
make_log() {
  must awk -v seed="$((SRANDOM % 1000000007))" -v lines="$2" -v damaged="$3" 'BEGIN {
    srand(seed)
    for (n = 0; n < lines; n++)
      printf "2026-04-01 %02d:%02d:%02d 10.1.%d.%d /p%d %d %d\n", 7 + int(rand() * 5), rand() * 60, rand() * 60,
        rand() * 2, rand() * 5, rand() * 9, rand() < 0.3 ? 500 + int(rand() * 4) : 200, rand() * 90000
    for (n = 0; n < damaged; n++) {
      if (n % 3 == 0) print "2026-04-01 08:00:0"
      else if (n % 3 == 1) print "2026-04-01 08:00:00 10.1.0.1 /p1 200 12x"
      else print "2026-04-01 08:00:00 10.1.0.1 /a b 200 120"
    }
  }' >"$1"
  must [ -s "$1" ]
  must chmod 644 "$1"
}
good='NF == 6 && $2 ~ /^[0-9][0-9]:[0-9][0-9]:[0-9][0-9]$/ && $5 ~ /^[0-9][0-9][0-9]$/ && $6 ~ /^[0-9]+$/'
run() {
  as_student -t 8 -f 1024 -C "$shared" "$script" "$@" >"$private/out" 2>"$private/err"
  status=$?
}
log="$shared/log of today"
make_log "$log" "$((SRANDOM % 200 + 200))" 7
must awk "$good"' { n[$3]++ } END { for (a in n) print n[a], a }' "$log" >"$private/counts"
must sort -k1,1nr -k2,2 "$private/counts" >"$private/all"
for number in 1 4 100; do
  run "$log" "$number"
  must head -n "$number" "$private/all" >"$private/want"
  must [ -s "$private/want" ]
  [ "$status" -eq 0 ] || problem "with the number $number the exit status is $status"
  cmp -s "$private/want" "$private/out" || problem "with the number $number the lines are not those that were asked for"
done
for number in 0 two -3 '' '2 4'; do
  run "$log" "$number"
  [ "$status" -eq 2 ] || problem "with \"$number\" as the number the exit status is $status"
  [ ! -s "$private/out" ] || problem "with \"$number\" as the number something is on the standard output"
  [ -s "$private/err" ] || problem "with \"$number\" as the number there is no message on the standard error"
done
run "$shared/missing" 3
[ "$status" -eq 2 ] || problem "for a file that does not exist the exit status is $status"
[ ! -s "$private/out" ] || problem 'for a file that does not exist something is on the standard output'
[ -s "$private/err" ] || problem 'for a file that does not exist there is no message on the standard error'
verdict
