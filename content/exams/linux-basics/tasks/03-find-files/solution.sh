#!/bin/bash
set -e
mkdir -p ~/reports/conf
cd ~/reports
# find ends with an error where it may not enter a directory; what it found counts.
find /usr -type f -perm -4000 2>/dev/null > setuid.txt || true
find /usr/share/doc -type f ! -newermt '2019-12-31 23:59:59 UTC' 2>/dev/null > old.txt || true
find /usr/lib -type f -size +1048576c -printf '%s %p\n' 2>/dev/null | sort -rn > large.txt
find /etc -type f -name '*.conf' -readable -print0 2>/dev/null | xargs -0 cp --parents --preserve=timestamps -t conf
