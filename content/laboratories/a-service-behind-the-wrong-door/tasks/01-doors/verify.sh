#!/bin/bash
# Asks at addresses that are new each time.

outside=127.$((SRANDOM % 200 + 10)).$((SRANDOM % 200 + 10)).$((SRANDOM % 200 + 10))
fetch() { # fetch ADDRESS PORT: prints the page, or nothing
  /usr/bin/curl -q -s --noproxy '*' --max-time 3 --max-filesize 10000 "http://$1:$2/" 2>/dev/null | head -n 1
}
for address in 127.0.0.1 "$outside"; do
  [ "$(fetch "$address" 8100)" = 'The catalogue' ] || problem "the catalogue does not answer at $address"
done
[ "$(fetch 127.0.0.1 8200)" = 'The console' ] || problem 'the console does not answer at 127.0.0.1'
code=$(/usr/bin/curl -q -s --noproxy '*' --max-time 3 -o /dev/null -w '%{http_code}' "http://$outside:8200/" 2>/dev/null)
[ "$code" = 000 ] || problem "the console answers at $outside"
# Another address than 127.0.0.1 in the table of listening sockets (0100007F, port 2008), of any version.
cat /proc/net/tcp /proc/net/tcp6 2>/dev/null >"$private/sockets"
must [ -s "$private/sockets" ]
awk '$4 == "0A" && $2 ~ /:2008$/ && $2 != "0100007F:2008"' "$private/sockets" | grep -q . &&
  problem 'something listens on port 8200 of another address than 127.0.0.1'
system nginx -t >/dev/null 2>&1 || problem 'nginx finds an error in its configuration'
verdict
