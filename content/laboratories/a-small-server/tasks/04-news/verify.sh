#!/bin/bash
# Asks for the page, and for a file that is new each time.

site=/srv/news
token=$(random_token)
trap 'rm -f "$site/pictures/check-$token.txt"' EXIT
for folder in "$site" "$site/pictures"; do
  { [ -d "$folder" ] && [ ! -L "$folder" ]; } || problem "$folder is not a folder"
done
[ "$problems" -eq 0 ] || verdict
fetch() { # fetch TARGET: sets $code and $body
  code=$(/usr/bin/curl -q -s --noproxy '*' --max-time 3 --max-filesize 1000000 -o "$private/body" -w '%{http_code}' \
    "http://127.0.0.1:8090$1" 2>/dev/null)
  body=$(head -c 20000 "$private/body" 2>/dev/null | tr -d '\000')
  rm -f "$private/body"
}
echo "picture $token" >"$site/pictures/check-$token.txt" && chmod 644 "$site/pictures/check-$token.txt"
fetch /
if [ "$code" = 000 ]; then
  problem 'no web server answers on port 8090'
  verdict
fi
{ [ "$code" = 200 ] && [ "$body" = 'News of today' ]; } || problem "/ is not the page of the news (status $code)"
fetch "/pictures/check-$token.txt"
{ [ "$code" = 200 ] && [ "$body" = "picture $token" ]; } || problem "a file in $site/pictures is not delivered (status $code)"
[ "$(cat "$site/index.html" 2>/dev/null)" = 'News of today' ] || problem 'index.html has changed'
find "$site" -perm -002 ! -type l 2>/dev/null | grep -q . && problem "everybody can write to something in $site"
system nginx -t >/dev/null 2>&1 || problem 'nginx finds an error in its configuration'
verdict
