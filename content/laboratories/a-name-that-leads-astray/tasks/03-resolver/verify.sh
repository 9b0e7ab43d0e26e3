#!/bin/bash
# Reads the file as the resolver does: the last search or domain counts, options add up.

file=/etc/resolv.conf
[ -f "$file" ] || problem "$file is not a file"
lines=$(head -c 20000 "$file" | tr -d '\000' | sed 's/[[:space:]]*[#;].*//')
servers=$(printf '%s\n' "$lines" | awk '$1 == "nameserver" { printf "%s ", $2 }')
[ "$servers" = '10.20.0.53 10.20.1.53 ' ] || problem 'the name servers, or their order, are not right'
search=$(printf '%s\n' "$lines" | awk '$1 == "search" || $1 == "domain" { $1 = ""; last = $0 } END { print last }')
# shellcheck disable=SC2086 # words
[ "$(echo $search)" = branch.example ] || problem 'the domain for names without a dot is not right'
option() { # the last value counts
  printf '%s\n' "$lines" | awk -v name="$1" '$1 == "options" { for (i = 2; i <= NF; i++) if (index($i, name ":") == 1) last = substr($i, length(name) + 2) }
    END { print last }'
}
[ "$(option timeout)" = 1 ] || problem 'an attempt does not take one second at most'
[ "$(option attempts)" = 2 ] || problem 'there are not two attempts'
verdict
