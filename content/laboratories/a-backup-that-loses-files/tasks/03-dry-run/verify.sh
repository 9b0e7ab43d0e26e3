#!/bin/bash
# Runs the script, as the student, with options.

script=/home/student/bin/backup
if ! is_file "$script" || ! as_student /usr/bin/test -x "$script"; then
  problem "$script is not a file that you can run"
  verdict
fi
token=$(random_token)
place=/tmp/check-$token
trap 'rm -rf "$place"' EXIT
must as_student /usr/bin/mkdir -m 700 "$place"
run() {
  as_student -t 8 -C "$place" "$script" "$@" >"$private/out" 2>"$private/err"
  status=$?
}
must mkdir -p "$shared/source/folder.txt"
for name in "b $token.txt" "a$token.txt" "plain-$token" "notes.md" "odd.*"; do random_token >"$shared/source/$name"; done
must chmod -R a+rX "$shared"
export LC_ALL=C
sorted() { head -c 5000 "$private/out" | tr -d '\000' | sort; }
# dry DESCRIPTION EXPECTED OPTION...: with -n among the options.
dry() {
  local name=$1 want=$2
  shift 2
  run "$@" "$shared/source" "$place/none"
  [ "$status" -eq 0 ] || problem "$name: the status is $status"
  [ "$(sorted)" = "$(printf '%s\n' "$want" | sort)" ] || problem "$name: the names are not right, or something else is printed"
  [ ! -e "$place/none" ] || problem "$name: the target is created"
}
dry '-n' "$(printf '%s\n' "b $token.txt" "a$token.txt" "plain-$token" notes.md 'odd.*')" -n
dry '-n -s .txt' "$(printf '%s\n' "b $token.txt" "a$token.txt")" -n -s .txt
dry '-s .md -n' notes.md -s .md -n
dry '-ns .txt' "$(printf '%s\n' "b $token.txt" "a$token.txt")" -ns .txt
dry 'a suffix with a star' 'odd.*' -n -s '.*'

run -s .txt "$shared/source" "$place/texts"
if snapshot "$place/texts" texts; then
  got=$(must /usr/bin/find "$vault/texts/" -mindepth 1 -printf '.' | wc -c)
  { [ "$got" -eq 2 ] && cmp -s "$shared/source/b $token.txt" "$vault/texts/b $token.txt"; } ||
    problem '-s .txt does not copy exactly the files with this suffix'
else
  problem '-s .txt copies nothing'
fi
run "$shared/source" "$place/all"
if snapshot "$place/all" all; then
  got=$(must /usr/bin/find "$vault/all/" -mindepth 1 -printf '.' | wc -c)
  [ "$got" -eq 5 ] || problem 'without options not all files are copied'
else
  problem 'without options nothing is copied'
fi
run -x "$shared/source" "$place/none"
[ "$status" -eq 2 ] || problem "with an unknown option the status is $status"
grep -q '^usage:' "$private/err" || problem 'with an unknown option there is no usage line on the standard error'
[ ! -e "$place/none" ] || problem 'with an unknown option the target is created'
verdict
