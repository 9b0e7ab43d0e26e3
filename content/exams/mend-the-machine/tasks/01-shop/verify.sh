#!/bin/bash
# Asks for the pages, and for files that are new each time.

site=/srv/shop log=/var/log/shop/access.log
token=$(random_token)
trap 'rm -f "$site/check-$token.txt" "$site/items/check-$token.txt"' EXIT
for folder in "$site" "$site/items"; do is_folder "$folder" || problem "$folder is not a folder"; done
[ "$problems" -eq 0 ] || verdict
fetch() { # fetch TARGET: sets $code and $body
  code=$(/usr/bin/curl -q -s --noproxy '*' --max-time 3 --max-filesize 1000000 -o "$private/body" -w '%{http_code}' \
    "http://127.0.0.1:8080$1" 2>/dev/null)
  body=$(head -c 20000 "$private/body" 2>/dev/null | tr -d '\000')
  rm -f "$private/body"
}
for folder in "$site" "$site/items"; do
  echo "content $token" >"$folder/check-$token.txt" && chmod 644 "$folder/check-$token.txt"
done
fetch /
if [ "$code" = 000 ]; then
  problem 'no web server answers on port 8080'
  verdict
fi
{ [ "$code" = 200 ] && [ "$body" = '<h1>The shop</h1>' ]; } || problem "/ is not the page of the shop (status $code)"
for target in "/check-$token.txt" "/items/check-$token.txt"; do
  fetch "$target"
  { [ "$code" = 200 ] && [ "$body" = "content $token" ]; } || problem "a file in $site${target%/*} is not delivered (status $code)"
done
fetch /items/teapot.txt
{ [ "$code" = 200 ] && [ "$body" = 'A teapot of blue china' ]; } || problem "/items/teapot.txt is not delivered (status $code)"
[ "$(cat "$site/index.html" 2>/dev/null)" = '<h1>The shop</h1>' ] || problem 'index.html has changed'
find "$site" -perm /022 ! -type l 2>/dev/null | grep -q . && problem "others than the owner can write to something in $site"
for _ in 1 2 3 4 5 6 7 8 9 10; do
  is_file "$log" && tail -c 100000 "$log" | grep -qF "/check-$token" && break
  /usr/bin/sleep 0.2
done
{ is_file "$log" && tail -c 100000 "$log" | grep -qF "/check-$token"; } || problem "the requests are not found in $log"
system nginx -t >/dev/null 2>&1 || problem 'nginx finds an error in its configuration'
verdict
