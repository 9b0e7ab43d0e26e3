#!/bin/bash
# Compares the lines with the answers.
text() { student_file "$1" 20000; }

file=/home/student/answers.txt
if ! is_file "$file"; then
  problem "$file is not a file"
  verdict
fi
line() { text "$file" | sed -n "$1p" | sed 's/^[[:space:]]*//; s/[[:space:]]*$//'; }
[ "$(text "$file" | grep -c .)" -eq 3 ] || problem 'there are not three lines'
[ "$(line 1)" = tac ] || problem 'the first answer is not right'
[ "$(line 2)" = 5 ] || problem 'the second answer is not right'
case $(line 3) in
  --sort | --sort=size) ;;
  *) problem 'the third answer is not right' ;;
esac
verdict
