#!/bin/sh
echo PASS
[ "$(wc -l < /home/student/list.txt)" -eq 3 ] || exit 4
