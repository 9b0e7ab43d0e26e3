#!/bin/bash
# Runs the script, as the student, on a folder that is new each time, and compares the copies.

script=/home/student/bin/backup
if ! is_file "$script" || ! as_student /usr/bin/test -x "$script"; then
  problem "$script is not a file that you can run"
  verdict
fi
token=$(random_token)
place=/tmp/check-$token
trap 'rm -rf "$place"' EXIT
must as_student /usr/bin/mkdir -m 700 "$place"
source="$shared/the source"
must mkdir -p "$source/a folder" "$shared/empty"
names=("plain-$token" "with blank $token.txt" "-r$token" '*' ".hidden-$token" $'two\nlines' ' begins and ends ' "back\\slash")
for name in "${names[@]}"; do random_token >"$source/$name"; done
random_token >"$source/a folder/deep"
must chmod -R a+rX "$shared"

as_student -t 8 -C /home/student "$script" "$source" "$place/the target" >/dev/null 2>&1
if ! is_folder "$place/the target" || ! snapshot "$place/the target" first; then
  problem 'the target was not created where its name has a blank'
else
  for name in "${names[@]}"; do
    shown=$(printf '%q' "${name//$token/}")
    if ! is_file "$vault/first/$name"; then
      problem "a file with a name like $shown is not copied"
    elif ! cmp -s "$source/$name" "$vault/first/$name"; then
      problem "the copy of a file with a name like $shown has another content"
    fi
  done
  got=$(must /usr/bin/find "$vault/first/" -mindepth 1 -printf '.' | wc -c)
  [ "$got" -le "${#names[@]}" ] || problem 'the target contains more than the files directly in the source'
fi

# A target that exists, and an empty source with a relative name.
must as_student /usr/bin/mkdir "$place/present"
as_student -t 8 -C "$shared" "$script" empty "$place/present" >/dev/null 2>&1
if snapshot "$place/present" second; then
  got=$(must /usr/bin/find "$vault/second/" -mindepth 1 -printf '.' | wc -c)
  [ "$got" -eq 0 ] || problem 'from an empty source something is copied'
else
  problem 'a target that exists is gone afterwards'
fi
as_student -t 8 -C "$shared" "$script" 'the source' "$place/present" >/dev/null 2>&1
if snapshot "$place/present" third && cmp -s "$source/${names[0]}" "$vault/third/${names[0]}"; then :; else
  problem 'into a target that exists, from a source with a relative name, nothing is copied'
fi
verdict
