#!/bin/bash
# Two of the four parts: the lists whose order does not matter.
set -e
mkdir -p ~/reports
cd ~/reports
find /usr -type f -perm -4000 2>/dev/null > setuid.txt || true
find /usr/share/doc -type f ! -newermt '2019-12-31 23:59:59 UTC' 2>/dev/null > old.txt || true
