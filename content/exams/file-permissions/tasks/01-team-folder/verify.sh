#!/bin/bash
# Each of the two is a part of the points.
folder=/home/student/$PARAM_TEAM

echo 'Looking at the directory'
if ! is_folder "$folder"; then
  problem "$folder is not a directory"
elif [ "$(must /usr/bin/stat -c '%a %U %G' -- "$folder")" != '2770 student student' ]; then
  problem "$folder has other rights than those that were asked for"
fi
part

echo 'Looking at owner.txt'
if [ "$(student_file "$folder/owner.txt" 200)" != "$PARAM_TEAM" ]; then
  problem "$folder/owner.txt is not a file with the one line that was asked for"
fi
part
verdict
