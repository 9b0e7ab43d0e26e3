#!/bin/bash
# The script is run, as the student, on a tool whose output and exit status are new each time.

record=/home/student/bin/record
records=/home/student/records
if [ -L "$record" ] || [ ! -f "$record" ]; then
  problem "$record is not a regular file"
  verdict
elif ! as_student /usr/bin/test -x "$record"; then
  problem "$record is not executable for you"
  verdict
fi

# The tool: its exit status, a mark for its output, then any arguments. Its path has a blank.
must cat >"$shared/the tool" <<'TOOL'
#!/bin/bash
printf 'stdout %s\n' "$2"
printf 'stderr %s\n' "$2" >&2
for argument in "${@:3}"; do printf '<%s>' "$argument"; done
printf '\ninput %s\n' "$(head -n 1)"
exit "$1"
TOOL
must chmod 755 "$shared/the tool"

run() {
  as_student -t 3 -f 1024 -i "$private/input" -C "$shared" "$record" "$@" >"$private/out" 2>"$private/err"
  status=$?
}
saved() { # the beginning of a file in records, read with the student's rights
  is_file "$records/$1" && student_file "$records/$1" 4096
}
history_last() {
  is_file "$records/history" &&
    student_file "$records/history" 1000000 | tail -n 1 | head -c 400
}
history_length() {
  if is_file "$records/history"; then
    student_file "$records/history" 1000000 | wc -l
  else
    echo 0
  fi
}
token() { printf '%s%04x%04x' "$1" "$RANDOM" "$RANDOM"; }

one=$(token a) two=$(token b) unused=$(token u)
mark=$(token m) again=$(token r) given=$(token i)
failure=$((RANDOM % 100 + 1))
printf '%s\n' "$given" >"$private/input"
length=$(history_length)

echo 'Running a command that fails, with unusual arguments'
# shellcheck disable=SC2016 # the dollar sign is to arrive as it is
run "$one" "$shared/the tool" "$failure" "$mark" 'two  blanks' '' '*' '$HOME' '-n' 'back\slash'
[ "$status" -eq "$failure" ] || problem "the command ended with status $failure, your script with $status"
[ -s "$private/out" ] && problem 'your script itself wrote to the standard output'
[ -s "$private/err" ] && problem 'your script itself wrote to the standard error'
got=$(saved "$one.out")
# shellcheck disable=SC2016
want=$(printf 'stdout %s\n%s\ninput %s' "$mark" '<two  blanks><><*><$HOME><-n><back\slash>' "$given")
case $got in
  "$want") ;;
  *"stderr $mark"*) problem 'NAME.out holds more than the standard output of the command' ;;
  "stdout $mark"*"input $given") problem 'the command did not get its arguments exactly as they were given' ;;
  "stdout $mark"*) problem 'the command did not get its arguments or its standard input as they were given' ;;
  *) problem 'NAME.out does not hold the standard output of the command' ;;
esac
[ "$(saved "$one.err")" = "stderr $mark" ] || problem 'NAME.err does not hold the standard error of the command'
[ "$(history_last)" = "$one $failure" ] || problem 'the last line of history is not the name and the exit status'
[ "$(history_length)" -eq $((length + 1)) ] || problem 'history did not grow by exactly one line'

echo 'Running a command that succeeds'
run "$two" "$shared/the tool" 0 "$mark"
[ "$status" -eq 0 ] || problem "the command ended with status 0, your script with $status"
[ "$(history_last)" = "$two 0" ] || problem 'the last line of history is not the name and the exit status'
[ "$(history_length)" -eq $((length + 2)) ] || problem 'history did not grow by exactly one line'

echo 'Using the first name again'
run "$one" "$shared/the tool" 0 "$again"
case $(saved "$one.out") in
  *"$mark"*) problem 'NAME.out still holds the output of an earlier run' ;;
  "stdout $again"*) ;;
  *) problem 'NAME.out does not hold the output of the new run' ;;
esac
[ "$(saved "$one.err")" = "stderr $again" ] || problem 'NAME.err does not hold the standard error of the new run alone'

echo 'Calling it with too few arguments'
length=$(history_length)
for count in 0 1; do
  if [ "$count" -eq 0 ]; then run; else run "$unused"; fi
  [ "$status" -eq 64 ] || problem "with $count argument(s) the exit status is $status"
  [ -s "$private/out" ] && problem "with $count argument(s) something was written to the standard output"
  [ -s "$private/err" ] || problem "with $count argument(s) there is no message on the standard error"
done
if [ -e "$records/$unused.out" ] || [ "$(history_length)" -ne "$length" ]; then
  problem 'a call with too few arguments was recorded'
fi

for name in "$one" "$two" "$unused"; do
  as_student /usr/bin/rm -f "$records/$name.out" "$records/$name.err"
done
verdict
