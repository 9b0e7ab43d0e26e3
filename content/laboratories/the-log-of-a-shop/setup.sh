#!/bin/bash
# Writes a log that differs on each machine, with damaged lines in it.
set -eo pipefail
log=/srv/shop/access.log
awk -v seed="$SRANDOM" 'BEGIN {
  srand(seed % 1000000007)
  split("/ /cart /list /item/4 /item/17 /login /search", path, " ")
  busy = int(rand() * 20) + 1
  for (n = 0; n < 4000; n++) {
    t = int(n * 86399 / 4000)
    a = rand() < 0.2 ? busy : int(rand() * 20) + 1
    status = 200
    if (rand() < 0.1) status = 404
    if (rand() < (t > 50000 && t < 60000 ? 0.4 : 0.02)) status = rand() < 0.5 ? 500 : 503
    line = sprintf("2026-03-02 %02d:%02d:%02d 10.0.3.%d %s %d %d", t / 3600, t % 3600 / 60, t % 60, a,
      path[int(rand() * 7) + 1], status, 200 + int(rand() * 900000))
    if (rand() < 0.01) line = rand() < 0.5 ? substr(line, 1, 12 + int(rand() * 15)) : line " " line
    else if (rand() < 0.003) line = substr(line, 1, length(line) - 1) "x"
    print line
  }
}' >"$log"
chmod 644 "$log"
