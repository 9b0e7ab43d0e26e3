#!/bin/bash
set -e
[ "$(cat /home/student/note.txt)" = hello ]
printf "FAIL, or is it"
exit 0
