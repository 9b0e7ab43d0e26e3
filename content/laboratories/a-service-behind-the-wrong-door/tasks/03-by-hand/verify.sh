#!/bin/bash
# Sends the file to the server, and compares the answer with the list, which the student's account cannot change.

file=/home/student/request.txt
list=/srv/stock/list.txt
if ! is_file "$file"; then
  problem "$file is not a file"
  verdict
fi
must [ -s "$list" ]
student_file "$file" 8192 >"$private/request"
if [ ! -s "$private/request" ]; then
  problem "$file is empty"
  verdict
fi
must [ ! -L "$list" ]
# This side stays open, so that only the server ends the connection.
if exec 7<>/dev/tcp/127.0.0.1/8300; then
  cat "$private/request" >&7
  /usr/bin/timeout 6 /.grader/bin/busybox cat <&7 2>/dev/null | head -c 100000 >"$private/answer"
  [ "${PIPESTATUS[0]}" -eq 0 ] || problem 'the connection does not end after the answer'
  exec 7>&-
else
  problem 'no web server answers on port 8300'
  verdict
fi
tr -d '\r\000' <"$private/answer" >"$private/lines"
status=$(head -n 1 "$private/lines")
case $status in
  'HTTP/1.'[01]' 200 '*) ;;
  'HTTP/1.'*) problem "the server answers: ${status:0:60}" ;;
  *) problem 'the server does not answer to the request' ;;
esac
sed '1,/^$/d' "$private/lines" | cmp -s - "$list" || problem 'the answer is not the list of the warehouse'
verdict
