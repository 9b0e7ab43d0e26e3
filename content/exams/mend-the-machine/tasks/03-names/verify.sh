#!/bin/bash
# Asks for the names as programs do, without the rights of the student.

addresses() { as_stranger /usr/bin/getent ahosts "$1" 2>/dev/null | awk '{ print $1 }' | sort -u; }
for name in depot.example depot; do
  [ "$(addresses "$name")" = 127.0.0.70 ] || problem "$name does not lead to 127.0.0.70 only"
done
expect() { # expect ADDRESS NAME...
  local address=$1 name
  shift
  for name in "$@"; do [ "$(addresses "$name")" = "$address" ] || problem "$name does not lead to $address"; done
}
expect 127.0.0.61 scales.example scales
expect 127.0.0.62 gate.example gate
must [ -s /root/own-addresses ]
[ "$(addresses "$(cat /proc/sys/kernel/hostname)")" = "$(cat /root/own-addresses)" ] || problem "the machine's own name is not found"
addresses localhost | grep -qx 127.0.0.1 || problem 'localhost is not found'
lines=$(sed 's/#.*//' /etc/nsswitch.conf | awk '/^hosts:/ { sub(/^hosts:/, ""); print }')
# shellcheck disable=SC2086 # words
[ "$(echo $lines)" = 'files dns' ] || problem 'the machine does not ask its file first, then DNS, and nothing else'
verdict
