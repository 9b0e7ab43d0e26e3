#!/bin/bash
# Runs the script, as the student, on a folder that is new each time.
problems=0
problem() {
  printf -- '- %s\n' "$*"
  problems=$((problems + 1))
}
finish() {
  [ "$problems" -eq 0 ] && echo PASS || echo FAIL
  exit
}
as_student() {
  /usr/bin/timeout -k 1 4 /usr/bin/setpriv --reuid 1000 --regid 1000 --clear-groups -- \
    /usr/bin/env -i HOME=/home/student USER=student LANG=C.UTF-8 PATH=/usr/local/bin:/usr/bin:/bin "$@" </dev/null
}

script=/home/student/bin/countext
if ! as_student /usr/bin/test -f "$script" || ! as_student /usr/bin/test -x "$script"; then
  problem "$script is not a file that you can run"
  finish
fi
work=$(/usr/bin/mktemp -d /tmp/check.XXXXXXXX) || exit 1
trap '/usr/bin/rm -rf "$work"' EXIT
chmod 755 "$work"
# A file, not a pipe, takes the output: whatever the script leaves running cannot hold us up.
run() {
  (cd "$work" && ulimit -f 1024 && as_student "$script" "$@" >"$work/out" 2>"$work/err")
  status=$?
}
folder="$work/a folder"
mkdir -p "$folder/deeper.txt" "$folder/sub"
count=$((RANDOM % 7 + 3))
for ((i = 0; i < count; i++)); do : >"$folder/note $i.txt"; done
: >"$folder/other.md" && : >"$folder/notxt" && : >"$folder/sub/deep.txt" && : >"$folder/.hidden.txt"
chmod -R a+rX "$folder"

run "$folder" txt
[ "$(head -c 100 "$work/out" | tr -d '\000 \t')" = "$count" ] || problem 'the number is not right, or something else is printed'
run "$folder" none
[ "$(head -c 100 "$work/out" | tr -d '\000 \t')" = 0 ] || problem 'where no name fits, 0 is not what is printed'
for arguments in '' 'one' 'one two three'; do
  # shellcheck disable=SC2086 # words
  run $arguments
  [ "$status" -eq 2 ] || problem "with the arguments \"$arguments\" the exit status is $status"
  [ -s "$work/out" ] && problem "with the arguments \"$arguments\" something is on the standard output"
  [ -s "$work/err" ] || problem "with the arguments \"$arguments\" there is no message on the standard error"
done
finish
