#!/bin/bash
# The symbolic links are copied, as links, into a second tree of the same shape: what they lead
# to there tells whether they survive a move of the directory.

app=/home/student/app

echo 'Looking at the releases'
for version in 1.0 2.0; do
  file=$app/releases/$version/app.txt
  if [ -L "$app" ] || [ -L "$app/releases" ] || [ -L "$app/releases/$version" ] || [ -L "$file" ] || [ ! -f "$file" ]; then
    problem "$file is not a regular file in real directories"
  elif [ "$(student_file "$file" 200)" != "app $version" ]; then
    problem "$file does not hold the one line that was asked for"
  fi
done

echo 'Looking at the symbolic links'
moved=$private/another/place/moved
must mkdir -p "$moved/releases/1.0" "$moved/releases/2.0"
check_link() { # check_link NAME TARGET-HERE TARGET-AFTER-A-MOVE
  if [ ! -L "$app/$1" ]; then
    problem "app/$1 is not a symbolic link"
    return
  fi
  [ "$(/usr/bin/readlink -f "$app/$1")" = "$2" ] || problem "app/$1 does not lead to where it should"
  must ln -s "$(/usr/bin/readlink "$app/$1")" "$moved/$1"
  [ "$(/usr/bin/readlink -f "$moved/$1")" = "$3" ] ||
    problem "app/$1 leads to a wrong place once the directory app is moved"
}
check_link current "$app/releases/2.0" "$moved/releases/2.0"
check_link previous "$app/releases/1.0" "$moved/releases/1.0"
check_link system-name /etc/hostname /etc/hostname

echo 'Looking at notes.txt'
if [ -L "$app/notes.txt" ]; then
  problem 'app/notes.txt is a symbolic link'
elif [ ! -f "$app/notes.txt" ]; then
  problem 'app/notes.txt is not a regular file'
elif [ ! "$app/notes.txt" -ef "$app/releases/2.0/app.txt" ]; then
  problem 'app/notes.txt and releases/2.0/app.txt are two files, not two names of one'
fi

verdict
