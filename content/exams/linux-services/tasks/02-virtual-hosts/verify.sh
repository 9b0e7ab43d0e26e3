#!/bin/bash
# Plays the client and, on port 9000, the application behind the proxy.

application='' answerer=''
# shellcheck disable=SC2086 # each is a number or nothing
trap 'kill $application $answerer 2>/dev/null' EXIT
token=$(random_token)
client=127.0.0.$((RANDOM % 200 + 10))
fetch() { # fetch HOST TARGET: sets $code and $location, leaves the body in $private/body
  code=$(/usr/bin/curl -q -s --noproxy '*' --max-time 4 --max-filesize 1000000 --interface "$client" \
    -H "Host: $1" -D "$private/head" -o "$private/body" -w '%{http_code}' "http://127.0.0.1:80$2" 2>/dev/null)
  location=$(sed -n 's/^[Ll]ocation: *//p' "$private/head" 2>/dev/null | tr -d '\r' | head -n 1 | head -c 300)
}
listening() { cat /proc/net/tcp /proc/net/tcp6 2>/dev/null | grep -qi ':2328 [0-9a-f]*:[0-9a-f]* 0a '; }

echo 'Asking for old.school.test'
fetch old.school.test "/page-$token?id=$token&x=1"
if [ "$code" = 000 ]; then
  problem 'no web server answers on port 80'
  verdict
fi
[ "$code" = 301 ] || problem "the status is $code"
[ "$location" = "http://new.school.test/page-$token?id=$token&x=1" ] ||
  problem 'the client is not sent to the same path and query on new.school.test'
fetch old.school.test /
[ "$code,$location" = '301,http://new.school.test/' ] || problem 'the start page is not redirected as it should be'

echo 'Asking for a name that is not served'
for name in "other-$token.test" 127.0.0.1; do
  fetch "$name" /
  [ "$code" = 404 ] || problem "a request for another name (or for none) has the status $code"
done

echo 'Asking for new.school.test, with an application on port 9000'
if listening; then
  problem 'a program is listening on port 9000 already; the application is started there for this test'
  verdict
fi
# The application answers once it has the request: nginx does not send one to a server that answers first.
mkfifo "$private/answer"
: >"$private/request"
/usr/bin/timeout 20 nc -l -p 9000 <"$private/answer" >"$private/request" 2>/dev/null &
application=$!
(
  tries=0
  until grep -q '^.\{0,1\}$' "$private/request" || [ "$tries" -ge 300 ]; do
    tries=$((tries + 1))
    /usr/bin/sleep 0.05
  done
  printf 'HTTP/1.0 200 OK\r\nContent-Type: text/plain\r\nContent-Length: %d\r\n\r\nanswer %s' "$((7 + ${#token}))" "$token"
) >"$private/answer" &
answerer=$!
for _ in 1 2 3 4 5 6 7 8 9 10; do
  listening && break
  /usr/bin/sleep 0.1
done
# nginx leaves out servers that did not answer shortly before, as they did not when the student tried: 10 seconds by default.
for _ in 1 2 3 4 5 6 7 8 9 10 11 12; do
  fetch new.school.test "/app/$token?q=$token&r=2"
  if [ "$code" != 502 ] || [ -s "$private/request" ]; then break; fi
  /usr/bin/sleep 1
done
tr -d '\r\000' <"$private/request" | head -c 10000 >"$private/seen"
if [ "$code" != 200 ] || [ "$(head -c 100 "$private/body" | tr -d '\000')" != "answer $token" ]; then
  problem "the client does not get the application's answer (status $code)"
fi
if [ ! -s "$private/seen" ]; then
  problem 'the application did not get a request'
else
  head -n 1 "$private/seen" | grep -qF "GET /app/$token?q=$token&r=2 HTTP/" ||
    problem 'the application did not get the path and query that the client asked for'
  grep -qix 'host: new\.school\.test' "$private/seen" || problem 'the application did not get the host name that the client used'
  grep -qix "x-real-ip: ${client//./\\.}" "$private/seen" || problem "the application did not get the client's address in X-Real-IP"
fi
system nginx -t >/dev/null 2>&1 || problem 'nginx finds an error in its configuration'
verdict
