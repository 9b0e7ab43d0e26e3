#!/bin/bash
set -e
mkdir -p ~/text
cut -d: -f1 /etc/passwd | sort > ~/text/names.txt
cut -d: -f7 /etc/passwd | sort | uniq -c | sort -rn | awk '{ print $1, $2 }' > ~/text/shells.txt
