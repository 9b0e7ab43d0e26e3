#!/bin/bash
# Runs the script, as the student, on logs that are new each time.

script=/home/student/bin/hours
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
  as_student -t 8 -f 1024 -C "$shared" "$script" "$1" >"$private/out" 2>"$private/err"
  status=$?
}
# expect NAME LOG DAMAGED
expect() {
  must awk "$good"' { h = substr($2, 1, 2); n[h]++; if ($5 >= 500) e[h]++ }
    END { for (h in n) printf "%s %d %d %.0f\n", h, n[h], e[h], 100 * e[h] / n[h] }' "$2" >"$private/hours"
  must sort "$private/hours" >"$private/want"
  run "$2"
  cmp -s "$private/want" "$private/out" || problem "$1: the lines are not those that were asked for"
  if [ "$3" -gt 0 ]; then
    [ "$status" -eq 1 ] || problem "$1: the exit status is $status"
    [ "$(tail -n 1 "$private/err" | head -c 200 | tr -d '\000')" = "damaged: $3" ] ||
      problem "$1: the last line on the standard error does not name the number of damaged lines"
  else
    [ "$status" -eq 0 ] || problem "$1: the exit status is $status"
    [ ! -s "$private/err" ] || problem "$1: something is on the standard error"
  fi
}
make_log "$shared/good log" "$((SRANDOM % 200 + 200))" 0
expect 'a log without damaged lines' "$shared/good log" 0
damaged=$((SRANDOM % 20 + 5))
make_log "$shared/damaged" "$((SRANDOM % 100 + 100))" "$damaged"
expect 'a log with damaged lines' "$shared/damaged" "$damaged"
: >"$shared/empty"
must chmod 644 "$shared/empty"
expect 'an empty file' "$shared/empty" 0
verdict
