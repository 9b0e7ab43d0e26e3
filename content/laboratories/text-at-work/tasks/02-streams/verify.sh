#!/bin/bash
# Looks at what each file holds.
text() { student_file "$1" 20000; }

folder=/home/student/streams
for name in found errors; do
  is_file "$folder/$name.txt" || problem "$folder/$name.txt is not a file"
done
[ "$problems" -eq 0 ] || verdict
[ "$(text "$folder/found.txt")" = "$(printf '/etc\n/usr\nchecked')" ] ||
  problem 'found.txt does not hold the two results and then the line that was asked for'
case $(text "$folder/errors.txt") in
  *$'\n'*) problem 'errors.txt holds more than one line' ;;
  *ls:*/missing*) ;;
  *) problem 'errors.txt does not hold the message about /missing' ;;
esac
verdict
