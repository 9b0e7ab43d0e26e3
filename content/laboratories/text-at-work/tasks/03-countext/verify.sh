#!/bin/bash
# Runs the script, as the student, on a folder that is new each time.

script=/home/student/bin/countext
if ! is_file "$script" || ! as_student /usr/bin/test -x "$script"; then
  problem "$script is not a file that you can run"
  verdict
fi
run() {
  as_student -t 4 -f 1024 -C "$shared" "$script" "$@" >"$private/out" 2>"$private/err"
  status=$?
}
folder="$shared/a folder"
mkdir -p "$folder/deeper.txt" "$folder/sub"
count=$((RANDOM % 7 + 3))
for ((i = 0; i < count; i++)); do : >"$folder/note $i.txt"; done
: >"$folder/other.md" && : >"$folder/notxt" && : >"$folder/sub/deep.txt" && : >"$folder/.hidden.txt"
chmod -R a+rX "$folder"

run "$folder" txt
[ "$(head -c 100 "$private/out" | tr -d '\000 \t')" = "$count" ] || problem 'the number is not right, or something else is printed'
run "$folder" none
[ "$(head -c 100 "$private/out" | tr -d '\000 \t')" = 0 ] || problem 'where no name fits, 0 is not what is printed'
for arguments in '' 'one' 'one two three'; do
  # shellcheck disable=SC2086 # words
  run $arguments
  [ "$status" -eq 2 ] || problem "with the arguments \"$arguments\" the exit status is $status"
  [ -s "$private/out" ] && problem "with the arguments \"$arguments\" something is on the standard output"
  [ -s "$private/err" ] || problem "with the arguments \"$arguments\" there is no message on the standard error"
done
verdict
