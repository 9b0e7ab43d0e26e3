#!/bin/bash
# Puts files of new names into the site's directory and asks nginx for them.

site=/srv/site
log=/var/log/nginx/site.log
token=$(random_token)
trap 'rm -rf "$site/check-$token.txt" "$site/files/check-$token.txt" "$site/private/check-$token.txt"' EXIT
fetch() { # fetch TARGET: sets $code and $body
  code=$(/usr/bin/curl -q -s --noproxy '*' --max-time 3 --max-filesize 1000000 -o "$private/body" -w '%{http_code}' \
    "http://127.0.0.1:8080$1" 2>/dev/null)
  body=$(head -c 20000 "$private/body" 2>/dev/null | tr -d '\000')
  rm -f "$private/body"
}

echo 'Looking at the directories'
for dir in "$site" "$site/files" "$site/private"; do
  { [ -d "$dir" ] && [ ! -L "$dir" ]; } || problem "$dir is not a directory"
done
[ "$problems" -eq 0 ] || verdict
for dir in "$site" "$site/files" "$site/private"; do
  echo "content $token" >"$dir/check-$token.txt" && chmod 644 "$dir/check-$token.txt"
done

echo 'Asking for pages on port 8080'
fetch /
if [ "$code" = 000 ]; then
  problem 'no web server answers on port 8080'
  verdict
fi
{ [ "$code" = 200 ] && [ "$body" = '<h1>Open</h1>' ]; } || problem "/ is not the start page (status $code)"
fetch "/check-$token.txt"
{ [ "$code" = 200 ] && [ "$body" = "content $token" ]; } || problem "a new file in $site is not delivered (status $code)"
/usr/bin/curl -q -s --noproxy '*' --max-time 3 -o /dev/null -D "$private/head" http://127.0.0.1:8080/ 2>/dev/null
grep -qi '^server: *nginx' "$private/head" || problem 'what answers on port 8080 is not nginx'

echo 'Asking for what does not exist'
fetch "/no-such-$token"
[ "$code" = 404 ] || problem "a page that does not exist has the status $code"
[ "$body" = '<h1>Nothing here</h1>' ] || problem 'a page that does not exist does not show missing.html'

echo 'Asking for private and files'
fetch "/private/check-$token.txt"
[ "$code" = 403 ] || problem "a file in private has the status $code"
case $body in *"$token"*) problem 'a file in private is delivered' ;; esac
fetch /files/
case $code,$body in
  200,*"check-$token.txt"*) ;;
  *) problem "/files/ does not list the files in $site/files (status $code)" ;;
esac
fetch "/files/check-$token.txt"
{ [ "$code" = 200 ] && [ "$body" = "content $token" ]; } || problem "a file in $site/files is not delivered (status $code)"

echo 'Looking at the log and the configuration'
for _ in 1 2 3 4 5 6 7 8 9 10; do
  [ -f "$log" ] && tail -c 100000 "$log" | grep -qF "/no-such-$token" && break
  /usr/bin/sleep 0.2
done
{ [ -f "$log" ] && tail -c 100000 "$log" | grep -qF "/no-such-$token"; } || problem "the requests are not found in $log"
system nginx -t >/dev/null 2>&1 || problem 'nginx finds an error in its configuration'
verdict
