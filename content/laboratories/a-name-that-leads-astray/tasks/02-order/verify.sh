#!/bin/bash
# Reads the configuration as the C library does, and looks up a name of the machine.

file=/etc/nsswitch.conf
if ! is_file "$file"; then
  problem "$file is not a file"
  verdict
fi
lines=$(sed 's/#.*//' "$file" | awk '$1 == "hosts:" { $1 = ""; print } /^hosts:[^ \t]/ { sub(/^hosts:/, ""); print }')
[ "$(printf '%s' "$lines" | grep -c .)" -le 1 ] || problem 'there is more than one line for hosts'
# shellcheck disable=SC2086 # words
[ "$(echo $lines)" = 'files dns' ] || problem 'hosts are not looked up in the file first, then with DNS, and nowhere else'
for database in passwd group shadow; do
  [ "$(awk -v name="$database:" '$1 == name { print $2 }' "$file")" = files ] || problem "the line $database has changed"
done
as_stranger /usr/bin/getent hosts localhost >/dev/null 2>&1 || problem 'localhost is not found any more'
as_stranger /usr/bin/getent passwd student >/dev/null 2>&1 || problem 'accounts are not found any more'
verdict
