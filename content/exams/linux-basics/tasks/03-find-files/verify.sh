#!/bin/bash
# The right lists are made here, with the student's rights, and compared with the student's.
problems=0
problem() {
  printf -- '- %s\n' "$*"
  problems=$((problems + 1))
}
as_student() {
  /usr/bin/timeout -k 1 5 /usr/bin/setpriv --reuid 1000 --regid 1000 --clear-groups -- \
    /usr/bin/env -i HOME=/home/student LANG=C.UTF-8 TZ=UTC PATH=/usr/bin:/bin "$@" 2>/dev/null
}

reports=/home/student/reports
work=$(/usr/bin/mktemp -d /tmp/check.XXXXXXXX) || exit 1
trap '/usr/bin/rm -rf "$work"' EXIT
export LC_ALL=C

take() { # take NAME: copies the student's list to $work/got
  if ! as_student /usr/bin/test -f "$reports/$1"; then
    problem "$reports/$1 is not a file"
    return 1
  fi
  as_student /usr/bin/head -c 2000000 "$reports/$1" | tr -d '\000' >"$work/got"
}
# compare NAME: the lines of $work/got and $work/want, in any order
compare() {
  local missing extra
  sort "$work/got" >"$work/got.sorted"
  sort "$work/want" >"$work/want.sorted"
  missing=$(/usr/bin/comm -13 "$work/got.sorted" "$work/want.sorted" | wc -l)
  extra=$(/usr/bin/comm -23 "$work/got.sorted" "$work/want.sorted" | wc -l)
  [ "$missing" -eq 0 ] || problem "$1: $missing of $(wc -l <"$work/want") lines are missing"
  if [ "$extra" -ne 0 ]; then
    problem "$1: $extra lines should not be there, for example: $(/usr/bin/comm -23 "$work/got.sorted" "$work/want.sorted" |
      head -n 1 | tr -cd '\040-\176' | head -c 120)"
  fi
}

echo 'Looking at setuid.txt'
if take setuid.txt; then
  as_student /usr/bin/find /usr -type f -perm -4000 >"$work/want"
  compare setuid.txt
fi

echo 'Looking at old.txt'
if take old.txt; then
  as_student /usr/bin/find /usr/share/doc -type f ! -newermt '2019-12-31 23:59:59' >"$work/want"
  compare old.txt
fi

echo 'Looking at large.txt'
if take large.txt; then
  as_student /usr/bin/find /usr/lib -type f -size +1048576c -printf '%s %p\n' >"$work/want"
  # The two fields may be parted by any number of blanks or tabs.
  sed 's/^[[:space:]]*\([0-9]*\)[[:space:]]*/\1 /' "$work/got" >"$work/fields" && mv "$work/fields" "$work/got"
  compare large.txt
  cut -d ' ' -f 1 "$work/got" >"$work/sizes"
  sort -rn "$work/sizes" | cmp -s - "$work/sizes" || problem 'large.txt: the largest file does not come first, the smallest last'
fi

echo 'Looking at conf'
if ! as_student /usr/bin/test -d "$reports/conf"; then
  problem "$reports/conf is not a directory"
else
  as_student /usr/bin/find /etc -type f -name '*.conf' -readable -printf 'etc/%P\n' >"$work/want"
  as_student /usr/bin/find "$reports/conf/" ! -type d -printf '%P\n' | head -c 2000000 >"$work/got"
  compare conf
  sort "$work/got" >"$work/got.sorted"
  sort "$work/want" | /usr/bin/comm -12 - "$work/got.sorted" | head -n 2000 >"$work/both"
  # shellcheck disable=SC2016 # expanded in the student's shell
  differing=$(as_student /bin/bash -c 'while IFS= read -r name; do
    copy=$1/$name
    if [ -L "$copy" ] || [ ! -f "$copy" ] || ! cmp -s -- "/$name" "$copy"; then echo content; fi
    [ "$(stat -c %Y -- "/$name")" = "$(stat -c %Y -- "$copy")" ] || echo time
  done' check "$reports/conf" <"$work/both")
  case $differing in *content*) problem 'conf: the content of a copy is not that of its original' ;; esac
  case $differing in *time*) problem 'conf: the time of the last change of a copy is not that of its original' ;; esac
fi

[ "$problems" -eq 0 ] && echo PASS || echo FAIL
