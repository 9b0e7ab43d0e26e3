#!/bin/bash
# Works in the folders as a member of the group, and as somebody who is none.

base=/srv/press
token=$(random_token)
for folder in "$base" "$base/drafts" "$base/published"; do is_folder "$folder" || problem "$folder is not a folder"; done
for file in contacts.txt drafts/monday.txt published/may.txt; do is_file "$base/$file" || problem "$base/$file is not a file"; done
[ "$problems" -eq 0 ] || verdict
group=$(awk -F : '$1 == "press" { print $3 }' /etc/group)
must [ -n "$group" ]
in_group() { awk -F : -v group="$1" -v name="$2" '$1 == group { n = split($4, m, ","); for (i = 1; i <= n; i++) if (m[i] == name) print "yes" }' /etc/group; }
[ "$(in_group press nina)" = yes ] || problem 'nina is not a member of press'
[ "$(in_group archive nina)" = yes ] || problem 'nina is not a member of archive any more'
[ "$(in_group press olga)" = yes ] || problem 'olga is not a member of press any more'
[ "$(awk -F : '$1 == "nina" { print $7 }' /etc/passwd)" = /bin/bash ] || problem 'the shell of nina is not /bin/bash'

member() { as_other "$group" -C / "$@" 2>/dev/null; }
other() { as_other '' -C / "$@" 2>/dev/null; }
texts() { # texts FILE TEXT
  [ "$(member "$closed" cat "$base/$1")" = "$2" ] || problem "a member cannot read $1, or it has changed"
  other /usr/bin/test -r "$base/$1" && problem "others can read $1"
}
texts contacts.txt 'Names and numbers'
texts drafts/monday.txt 'Draft of Monday'
texts published/may.txt 'Published in May'
other /usr/bin/test -x "$base" && problem "others can enter $base"
[ $((0$(must stat -c %a "$base") & 7)) -eq 0 ] || problem "others have rights on $base"
for file in contacts.txt drafts/monday.txt; do
  member /usr/bin/test -w "$base/$file" || problem "a member cannot change $file"
done
for folder in "$base" "$base/drafts"; do
  [ -n "$(member "$closed" ls "$folder")" ] || problem "a member cannot list $folder"
  new=$folder/check-$token
  if member "$closed" touch "$new" && [ -f "$new" ]; then
    [ "$(must stat -c %g "$new")" = "$group" ] || problem "a new file in $folder does not belong to the group press"
    member "$closed" rm -f "$new" || problem "a member cannot delete a file in $folder"
  else
    problem "a member cannot create a file in $folder"
  fi
  rm -f "$new"
done
[ -n "$(member "$closed" ls "$base/published")" ] || problem 'a member cannot list published'
for path in "$base/published" "$base/published/may.txt"; do
  [ "$(must stat -c %u "$path")" = 0 ] || problem "$path does not belong to root"
  member /usr/bin/test -w "$path" && problem "a member can change $path"
done
verdict
