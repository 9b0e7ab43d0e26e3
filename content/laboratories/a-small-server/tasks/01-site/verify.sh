#!/bin/bash
# Puts a file of a new name into the folder and asks nginx for it.
problems=0
problem() {
  printf -- '- %s\n' "$*"
  problems=$((problems + 1))
}
finish() {
  [ "$problems" -eq 0 ] && echo PASS || echo FAIL
  exit
}
# The system's programs get the system's PATH: the grader's tools come first on ours.
system() {
  /usr/bin/timeout 8 /usr/bin/env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 "$@" </dev/null
}

site=/srv/garden
if [ -L "$site" ] || [ ! -d "$site" ]; then
  problem "$site is not a folder"
  finish
fi
token=$(printf '%04x%04x' "$RANDOM" "$RANDOM")
work=$(mktemp -d /tmp/check.XXXXXXXX) || exit 1
trap 'rm -rf "$work" "$site/check-$token.txt"' EXIT
echo "content $token" >"$site/check-$token.txt" && chmod 644 "$site/check-$token.txt"
fetch() {
  code=$(/usr/bin/curl -q -s --noproxy '*' --max-time 3 --max-filesize 1000000 -D "$work/head" -o "$work/body" \
    -w '%{http_code}' "http://127.0.0.1:8088$1" 2>/dev/null)
  body=$(head -c 20000 "$work/body" 2>/dev/null | tr -d '\000')
  rm -f "$work/body"
}
fetch /
if [ "$code" = 000 ]; then
  problem 'no web server answers on port 8088'
  finish
fi
{ [ "$code" = 200 ] && [ "$body" = 'Welcome to the garden' ]; } || problem "/ is not the start page (status $code)"
grep -qi '^server: *nginx' "$work/head" || problem 'what answers on port 8088 is not nginx'
fetch "/check-$token.txt"
{ [ "$code" = 200 ] && [ "$body" = "content $token" ]; } || problem "a new file in $site is not delivered (status $code)"
system nginx -t >/dev/null 2>&1 || problem 'nginx finds an error in its configuration'
finish
