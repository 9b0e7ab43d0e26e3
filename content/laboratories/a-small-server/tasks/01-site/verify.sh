#!/bin/bash
# Puts a file of a new name into the folder and asks nginx for it.

site=/srv/garden
if [ -L "$site" ] || [ ! -d "$site" ]; then
  problem "$site is not a folder"
  verdict
fi
token=$(random_token)
trap 'rm -rf "$site/check-$token.txt"' EXIT
echo "content $token" >"$site/check-$token.txt" && chmod 644 "$site/check-$token.txt"
fetch() {
  code=$(/usr/bin/curl -q -s --noproxy '*' --max-time 3 --max-filesize 1000000 -D "$private/head" -o "$private/body" \
    -w '%{http_code}' "http://127.0.0.1:8088$1" 2>/dev/null)
  body=$(head -c 20000 "$private/body" 2>/dev/null | tr -d '\000')
  rm -f "$private/body"
}
fetch /
if [ "$code" = 000 ]; then
  problem 'no web server answers on port 8088'
  verdict
fi
{ [ "$code" = 200 ] && [ "$body" = 'Welcome to the garden' ]; } || problem "/ is not the start page (status $code)"
grep -qi '^server: *nginx' "$private/head" || problem 'what answers on port 8088 is not nginx'
fetch "/check-$token.txt"
{ [ "$code" = 200 ] && [ "$body" = "content $token" ]; } || problem "a new file in $site is not delivered (status $code)"
system nginx -t >/dev/null 2>&1 || problem 'nginx finds an error in its configuration'
verdict
