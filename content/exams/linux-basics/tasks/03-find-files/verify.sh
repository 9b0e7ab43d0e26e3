#!/bin/bash
# The right lists are made here by an account that the student cannot reach and that sees of the system what the student sees,
# and compared with a copy of the student's folder. Each of the four is a part of the points.
reports=/home/student/reports
export LC_ALL=C

if ! is_folder "$reports" || ! snapshot "$reports" reports; then
  problem "$reports is not a directory, or cannot be read"
  verdict
fi
copy=$vault/reports

take() { # take NAME: copies the student's list to $private/got
  if ! is_file "$copy/$1"; then
    problem "$reports/$1 is not a file"
    return 1
  fi
  must head -c 2000000 "$copy/$1" >"$private/got"
}
# compare NAME: the lines of $private/got and $private/want, in any order
compare() {
  local missing extra
  must sort "$private/got" >"$private/got.sorted"
  must sort "$private/want" >"$private/want.sorted"
  must /usr/bin/comm -13 "$private/got.sorted" "$private/want.sorted" >"$private/missing"
  must /usr/bin/comm -23 "$private/got.sorted" "$private/want.sorted" >"$private/extra"
  missing=$(must wc -l <"$private/missing") extra=$(must wc -l <"$private/extra")
  [ "$missing" = 0 ] || problem "$1: $missing of $(wc -l <"$private/want") lines are missing"
  [ "$extra" = 0 ] ||
    problem "$1: $extra lines should not be there, for example: $(head -n 1 "$private/extra" | tr -cd '\040-\176' | head -c 120)"
}
# found ARGUMENT...: what find prints is what the list has to hold, which is never nothing.
# It ends with 1 where it may not enter a folder: what it found counts.
found() {
  local status
  as_stranger -t 8 /usr/bin/env TZ=UTC /usr/bin/find "$@" >"$private/want" 2>/dev/null
  status=$?
  must [ "$status" -le 1 ]
  must [ -s "$private/want" ]
}

echo 'Looking at setuid.txt'
if take setuid.txt; then
  found /usr -type f -perm -4000
  compare setuid.txt
fi
part

echo 'Looking at old.txt'
if take old.txt; then
  found /usr/share/doc -type f ! -newermt '2019-12-31 23:59:59'
  compare old.txt
fi
part

echo 'Looking at large.txt'
if take large.txt; then
  found /usr/lib -type f -size +1048576c -printf '%s %p\n'
  # The two fields may be parted by any number of blanks or tabs.
  must sed 's/^[[:space:]]*\([0-9]*\)[[:space:]]*/\1 /' "$private/got" >"$private/fields"
  must mv "$private/fields" "$private/got"
  compare large.txt
  must cut -d ' ' -f 1 "$private/got" >"$private/sizes"
  must sort -rn "$private/sizes" >"$private/sizes.sorted"
  cmp -s "$private/sizes.sorted" "$private/sizes" || problem 'large.txt: the largest file does not come first, the smallest last'
fi
part

echo 'Looking at conf'
if ! is_folder "$copy/conf"; then
  problem "$reports/conf is not a directory"
else
  found /etc -type f -name '*.conf' -readable -printf 'etc/%P\n'
  must /usr/bin/find "$copy/conf/" ! -type d -printf '%P\n' >"$private/got"
  compare conf
  while IFS= read -r name; do
    [ -e "$copy/conf/$name" ] || [ -L "$copy/conf/$name" ] || continue
    if ! is_file "$copy/conf/$name" || ! cmp -s -- "/$name" "$copy/conf/$name"; then
      problem 'conf: the content of a copy is not that of its original'
      break
    fi
  done <"$private/want"
  while IFS= read -r name; do
    [ -e "$copy/conf/$name" ] || continue
    if [ "$(must /usr/bin/stat -c %Y -- "/$name")" != "$(must /usr/bin/stat -c %Y -- "$copy/conf/$name")" ]; then
      problem 'conf: the time of the last change of a copy is not that of its original'
      break
    fi
  done <"$private/want"
fi
part
verdict
