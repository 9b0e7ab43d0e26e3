#!/bin/bash
# Runs the script, as the student, on folders that are new each time, also while somebody else holds the lock.

script=/home/student/bin/prune
if ! is_file "$script" || ! as_student /usr/bin/test -x "$script"; then
  problem "$script is not a file that you can run"
  verdict
fi
token=$(random_token)
place=/tmp/check-$token
trap 'rm -rf "$place"' EXIT
folder="$place/the folder"
must as_student /usr/bin/mkdir -m 700 -p "$folder"
run() {
  as_student -t 8 -C / "$script" "$@" >"$private/out" 2>"$private/err"
  status=$?
}
day=$((SRANDOM % 9 + 10))
others=(meter-2026-01-1.csv 'meter-2026-01-01.csv.old' "other-2026-01-01.csv" "meter-$token.csv" 'meter-2026-01-0x.csv' .meter-2026-01-01.csv)
dated=("meter-2025-12-31.csv" "meter-2026-01-02.csv" "meter-2026-01-$day.csv" "meter-2026-02-01.csv" "meter-2026-10-01.csv")
# The times of the files contradict the names.
for name in "${dated[@]}" "${others[@]}"; do
  must as_student /usr/bin/touch -d "$((SRANDOM % 300 + 1)) days ago" "$folder/$name"
done
must as_student /usr/bin/mkdir "$folder/meter-2020-01-01.csv"
expect() { # expect NAME DATED...: the dated files that are there
  local name=$1 file want got
  shift
  want=" $* "
  for file in "${dated[@]}"; do
    got=no
    [ -e "$folder/$file" ] && got=yes
    case "$want" in
      *" $file "*) [ "$got" = yes ] || problem "$name: a file is deleted that had to stay" ;;
      *) [ "$got" = no ] || problem "$name: a file stays that had to be deleted" ;;
    esac
  done
  for file in "${others[@]}"; do [ -e "$folder/$file" ] || problem "$name: a file with another kind of name is deleted"; done
}

# Root holds the lock, so that the student cannot end its holder.
must as_student /usr/bin/touch "$folder/.lock"
exec 8<>"$folder/.lock"
must /usr/bin/flock -n 8
run "$folder" 2
[ "$status" -eq 75 ] || problem "while another process holds the lock the exit status is $status"
[ -s "$private/err" ] || problem 'while another process holds the lock there is no message on the standard error'
expect 'while another process holds the lock' "${dated[@]}"
exec 8>&-

must as_student /usr/bin/rm "$folder/.lock"
run "$folder" 3
[ "$status" -eq 0 ] || problem "with three to keep the exit status is $status"
{ [ ! -s "$private/out" ] && [ ! -s "$private/err" ]; } || problem 'something is printed where all goes well'
expect 'with three to keep' "${dated[@]:2}"
[ -e "$folder/.lock" ] || problem 'there is no file .lock'
run "$folder" 10
expect 'with more to keep than there are' "${dated[@]:2}"
run "$folder" 1
expect 'with one to keep' "${dated[4]}"
for number in 0 x ''; do
  run "$folder" "$number"
  [ "$status" -eq 2 ] || problem "with \"$number\" as the number the exit status is $status"
  [ -s "$private/err" ] || problem "with \"$number\" as the number there is no message on the standard error"
done
run "$place/missing" 3
[ "$status" -eq 2 ] || problem "for a folder that does not exist the exit status is $status"
expect 'after wrong arguments' "${dated[4]}"
verdict
