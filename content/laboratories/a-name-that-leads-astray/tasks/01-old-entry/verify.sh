#!/bin/bash
# Asks for the names as programs do, without the rights of the student.

addresses() { as_stranger /usr/bin/getent ahosts "$1" 2>/dev/null | awk '{ print $1 }' | sort -u; }
for name in wiki.example wiki; do
  [ "$(addresses "$name")" = 127.0.0.42 ] || problem "$name does not lead to 127.0.0.42 only"
done
expect() { # expect ADDRESS NAME...
  local address=$1 name
  shift
  for name in "$@"; do [ "$(addresses "$name")" = "$address" ] || problem "the entry of $name has changed"; done
}
expect 127.0.0.41 print.example print
expect 127.0.0.50 mail.example mail
expect 127.0.0.51 wikis.example
addresses localhost | grep -qx 127.0.0.1 || problem 'the entry of localhost has changed'
must [ -s /usr/local/share/own-addresses ]
[ "$(addresses "$(cat /proc/sys/kernel/hostname)")" = "$(cat /usr/local/share/own-addresses)" ] || problem "the entry of the machine's own name has changed"
for site in 41:old 42:new; do
  body=$(/usr/bin/curl -q -s --noproxy '*' --max-time 3 --max-filesize 10000 "http://127.0.0.${site%:*}/" 2>/dev/null | head -n 1)
  case $body in
    "The ${site#*:} wiki"*) ;;
    *) problem "the web server on 127.0.0.${site%:*} has changed" ;;
  esac
done
verdict
