#!/bin/bash
# The symbolic links are copied, as links, into a second tree of the same shape: what they lead
# to there tells whether they survive a move of the directory.
problems=0
problem() {
  printf -- '- %s\n' "$*"
  problems=$((problems + 1))
}
as_student() {
  /usr/bin/timeout -k 1 3 /usr/bin/setpriv --reuid 1000 --regid 1000 --clear-groups -- \
    /usr/bin/env -i HOME=/home/student LANG=C.UTF-8 PATH=/usr/bin:/bin "$@" 2>/dev/null
}

app=/home/student/app

echo 'Looking at the releases'
for version in 1.0 2.0; do
  file=$app/releases/$version/app.txt
  if [ -L "$app" ] || [ -L "$app/releases" ] || [ -L "$app/releases/$version" ] || [ -L "$file" ] || [ ! -f "$file" ]; then
    problem "$file is not a regular file in real directories"
  elif [ "$(as_student /usr/bin/head -c 200 "$file")" != "app $version" ]; then
    problem "$file does not hold the one line that was asked for"
  fi
done

echo 'Looking at the symbolic links'
copy=$(/usr/bin/mktemp -d /tmp/check.XXXXXXXX) || exit 1
trap '/usr/bin/rm -rf "$copy"' EXIT
moved=$copy/another/place/moved
mkdir -p "$moved/releases/1.0" "$moved/releases/2.0"
check_link() { # check_link NAME TARGET-HERE TARGET-AFTER-A-MOVE
  if [ ! -L "$app/$1" ]; then
    problem "app/$1 is not a symbolic link"
    return
  fi
  [ "$(/usr/bin/readlink -f "$app/$1")" = "$2" ] || problem "app/$1 does not lead to where it should"
  /usr/bin/cp -P "$app/$1" "$moved/$1"
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

[ "$problems" -eq 0 ] && echo PASS || echo FAIL
