#!/bin/bash
# Works in the folder as another member of the group, and as somebody who is none.

base=/srv/studio
token=$(random_token)
for folder in "$base" "$base/drafts"; do is_folder "$folder" || problem "$folder is not a folder"; done
for file in score.txt drafts/part2.txt; do is_file "$base/$file" || problem "$base/$file is not a file"; done
[ "$problems" -eq 0 ] || verdict
group=$(awk -F : '$1 == "studio" { print $3 }' /etc/group)
must [ -n "$group" ]
member() { as_other "$group" -C / "$@" 2>/dev/null; }
other() { as_other '' -C / "$@" 2>/dev/null; }

[ "$(member "$closed" cat "$base/score.txt")" = 'A song in three parts' ] || problem 'a member cannot read score.txt, or it has changed'
[ "$(member "$closed" cat "$base/drafts/part2.txt")" = 'The second part, unfinished' ] ||
  problem 'a member cannot read drafts/part2.txt, or it has changed'
for file in score.txt drafts/part2.txt; do
  member /usr/bin/test -w "$base/$file" || problem "a member cannot change $file"
  other /usr/bin/test -r "$base/$file" && problem "others can read $file"
  [ $((0$(must stat -c %a "$base/$file") & 7)) -eq 0 ] || problem "others have rights on $file"
done
for folder in "$base" "$base/drafts"; do
  [ $((0$(must stat -c %a "$folder") & 7)) -eq 0 ] || problem "others have rights on $folder"
  [ -n "$(member "$closed" ls "$folder")" ] || problem "a member cannot list $folder"
  new=$folder/check-$token
  if member "$closed" touch "$new" && [ -f "$new" ]; then
    [ "$(must stat -c %g "$new")" = "$group" ] || problem "a new file in $folder does not belong to the group studio"
    # shellcheck disable=SC2310
    member "$closed" rm -f "$new" || problem "a member cannot delete a file in $folder"
  else
    problem "a member cannot create a file in $folder"
  fi
done
verdict
