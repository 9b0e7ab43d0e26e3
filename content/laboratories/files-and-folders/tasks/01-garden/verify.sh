#!/bin/bash
# Looks at the tree that was asked for.

garden=/home/student/garden
for dir in beds/north beds/south shed; do
  is_folder "$garden/$dir" || problem "$garden/$dir is not a folder"
done
for number in 1 2 3 4 5 6 7 8 9; do
  file=$garden/beds/north/row$number.txt
  if ! is_file "$file"; then
    problem "$file is not a file"
  elif [ -s "$file" ]; then
    problem "$file is not empty"
  fi
done
verdict
