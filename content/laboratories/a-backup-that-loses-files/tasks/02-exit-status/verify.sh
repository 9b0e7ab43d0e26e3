#!/bin/bash
# Runs the script, as the student, with arguments that are wrong and with a file that cannot be read.

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
must mkdir "$shared/source"
random_token >"$shared/source/a file"
random_token >"$shared/source/closed"
random_token >"$shared/source/z $token"
must chmod -R a+rX "$shared"

run "$shared/source" "$place/good"
[ "$status" -eq 0 ] || problem "where all goes well the status is $status"
{ [ ! -s "$private/out" ] && [ ! -s "$private/err" ]; } || problem 'where all goes well something is printed'
if ! snapshot "$place/good" good || ! cmp -s "$shared/source/z $token" "$vault/good/z $token"; then
  problem 'the files are not copied any more'
fi

must chmod 600 "$shared/source/closed"
run "$shared/source" "$place/partly"
[ "$status" -eq 1 ] || problem "with a file that cannot be read the status is $status"
[ -s "$private/err" ] || problem 'with a file that cannot be read there is no message on the standard error'
if ! snapshot "$place/partly" partly || ! cmp -s "$shared/source/a file" "$vault/partly/a file" ||
  ! cmp -s "$shared/source/z $token" "$vault/partly/z $token"; then
  problem 'with a file that cannot be read, others are not copied'
fi

for arguments in '' "$shared/source" "$shared/source two three"; do
  count=$(set -- $arguments && echo $#)
  # shellcheck disable=SC2086 # words
  run $arguments
  [ "$status" -eq 2 ] || problem "with $count arguments the status is $status"
  grep -q '^usage:' "$private/err" || problem "with $count arguments there is no usage line on the standard error"
done
for missing in "$place/missing" "$shared/source/a file"; do
  run "$missing" "$place/none"
  [ "$status" -eq 1 ] || problem "with a source that is not a folder the status is $status"
  [ -s "$private/err" ] || problem 'with a source that is not a folder there is no message on the standard error'
  [ ! -e "$place/none" ] || problem 'with a source that is not a folder the target is created'
done
verdict
