#!/bin/bash
# The script is run, as the student, on logs that are made up here and new each time.

report=/home/student/bin/logreport
if [ -L "$report" ] || [ ! -f "$report" ]; then
  problem "$report is not a regular file"
  verdict
elif ! as_student /usr/bin/test -x "$report"; then
  problem "$report is not executable for you"
  verdict
fi

# Everybody can see the arguments of a process: neither this program nor what it gets is among them.
must cat >"$private/make-log" <<'AWK'
function pick(n) { return int(rand() * n) }
{ given[NR] = $0 }
END {
  seed = given[1]; requests = given[2]; log_file = given[3]; want = given[4]
  srand(seed)
  split("GET GET GET POST HEAD", methods, " ")
  split("200 200 200 204 301 304 400 403 404 500 503", codes, " ")
  agents[0] = "curl/7.81.0"
  agents[1] = "Mozilla/5.0 (X11; Linux x86_64) 404 /not/a/path HTTP/1.1"
  agents[2] = "-"
  for (i = 0; i < 9; i++) paths[i] = sprintf("/%s%d", substr("abcdefghijk", i + 1, 3), pick(1000))
  for (i = 0; i < requests; i++) {
    client = sprintf("10.%d.0.%d", pick(3), pick(9))
    n = pick(9); if (pick(3)) n = pick(n + 1)
    target = path = paths[n]
    if (pick(4) == 0) target = path "?q=" pick(50)
    code = codes[pick(11) + 1]
    size = code == 204 || code == 304 ? "-" : pick(20000)
    printf "%s - %s [21/Nov/2026:10:%02d:%02d +0000] \"%s %s HTTP/1.1\" %s %s \"-\" \"%s\"\n", client, \
      pick(9) ? "-" : "mia", pick(60), pick(60), methods[pick(5) + 1], target, code, size, agents[pick(3)] > log_file
    if (!(client in seen)) { seen[client] = 1; clients++ }
    if (code >= 400) errors++
    bytes += size
    hits[path]++
  }
  # Equal counts would leave the order open: further requests part them.
  do {
    tie = 0
    for (a in hits) for (b in hits) if (a < b && hits[a] == hits[b]) tie = a
    if (tie) {
      printf "%s - - [21/Nov/2026:11:00:00 +0000] \"GET %s HTTP/1.1\" 200 1 \"-\" \"-\"\n", client, tie > log_file
      hits[tie]++; requests++; bytes++
    }
  } while (tie)
  printf "requests: %d\nclients: %d\nerrors: %d\nbytes: %d\ntop paths:\n", requests, clients, errors, bytes > want
  for (rank = 0; rank < 3; rank++) {
    best = ""
    for (a in hits) if (best == "" || hits[a] > hits[best]) best = a
    print hits[best], best > want
    delete hits[best]
  }
}
AWK
# make_log SEED REQUESTS writes the log "$shared/access log" and, counted on the way, the right report $private/want.
make_log() {
  must awk -f "$private/make-log" <<<"$1
$2
$shared/access log
$private/want"
  must chmod 644 "$shared/access log"
  must [ -s "$private/want" ]
}
run() {
  as_student -t 4 -f 1024 -C /tmp "$report" "$@" >"$private/out" 2>"$private/err"
  status=$?
}
part() { grep "^$1: " "$2" | head -n 1 | head -c 200; }
ranking() { sed '1,/^top paths:/d' "$1" | head -c 1000; }

for requests in 800 60; do
  make_log "$SRANDOM" "$requests"
  echo "Running it on a log of $(wc -l <"$shared/access log") lines"
  run "$shared/access log"
  [ "$status" -eq 0 ] || problem "the exit status is $status for a log that can be read"
  head -c 20000 "$private/out" | tr -d '\000' >"$private/got"
  cmp -s "$private/got" "$private/want" && continue
  before=$problems
  for name in requests clients errors bytes; do
    [ "$(part "$name" "$private/got")" = "$(part "$name" "$private/want")" ] || problem "the line \"$name:\" is missing or wrong"
  done
  [ "$(ranking "$private/got")" = "$(ranking "$private/want")" ] || problem 'the lines after "top paths:" are not the right three'
  [ "$problems" -gt "$before" ] || problem 'the report has other lines, or another order, than asked for'
  break
done

echo 'Running it without an argument and on a file that does not exist'
for case in none missing; do
  if [ "$case" = none ]; then run; else run "$shared/no such log"; fi
  [ "$status" -eq 1 ] || problem "the exit status is $status (argument: $case)"
  [ -s "$private/out" ] && problem "something was written to the standard output (argument: $case)"
  [ -s "$private/err" ] || problem "there is no message on the standard error (argument: $case)"
done
verdict
