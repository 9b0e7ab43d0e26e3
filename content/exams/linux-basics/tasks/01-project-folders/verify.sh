#!/bin/bash
# Permissions are judged by what three users can really do: the student (uid and gid 1000), a
# member of the group student, and somebody else. No path of the student's is touched as root.
student() { as_student -t 3 "$@" 2>/dev/null; }
member() { as_other 1000 -t 3 "$@" 2>/dev/null; }
other() { as_other '' -t 3 "$@" 2>/dev/null; }
# rights RIGHTS OPERATOR PATH: an expression for test, such as -r PATH -a -w PATH
rights() {
  local letters=$1
  expression=()
  while [ -n "$letters" ]; do
    expression+=("$2" "-${letters:0:1}" "$3")
    letters=${letters:1}
  done
  expression=("${expression[@]:1}")
}
can() { # can USER rwx PATH: has USER all of these rights?
  rights "$2" -a "$3"
  "$1" /usr/bin/test "${expression[@]}"
}
cannot() { # cannot USER rwx PATH: has USER none of these rights?
  rights "$2" -o "$3"
  ! "$1" /usr/bin/test "${expression[@]}"
}

home=/home/student
project=$home/project
notes="$project/docs/release notes.txt"
hello=$project/bin/hello

echo 'Looking at the folders and files'
missing=0
for dir in "$project" "$project/bin" "$project/docs" "$project/dropbox" "$project/private" "$project/shared"; do
  if [ -L "$dir" ] || [ ! -d "$dir" ]; then
    problem "$dir is not a directory"
    missing=1
  fi
done
for file in "$notes" "$hello"; do
  if [ -L "$file" ] || [ ! -f "$file" ]; then
    problem "$file is not a regular file"
    missing=1
  fi
done
if [ "$missing" -ne 0 ]; then
  echo 'The permissions are looked at once everything exists.'
  verdict
fi

echo 'Looking at the home directory'
can student rwx "$home" || problem 'you have lost rights on your own home directory'
can other x "$home" || problem 'others cannot pass through your home directory'
cannot other rw "$home" || problem 'others can list your home directory or write in it'

echo 'Looking at project, docs and bin'
for dir in project project/docs project/bin; do
  can student rwx "$home/$dir" || problem "you have not all rights on $dir"
  for user in member other; do
    can "$user" rx "$home/$dir" || problem "somebody cannot list $dir or cannot enter it (checked as: $user)"
    cannot "$user" w "$home/$dir" || problem "somebody else can create or delete files in $dir (checked as: $user)"
  done
done

echo 'Looking at release notes.txt'
for user in student member other; do
  cannot "$user" w "$notes" || problem "somebody can write to docs/release notes.txt (checked as: $user)"
  can "$user" r "$notes" || problem "somebody cannot read docs/release notes.txt (checked as: $user)"
done
if [ "$(student_file "$notes" 200)" != 'Version 1.0' ]; then
  problem 'the content of docs/release notes.txt is not the one line that was asked for'
fi

echo 'Looking at hello'
can student w "$hello" || problem 'you cannot change bin/hello'
for user in member other; do
  cannot "$user" w "$hello" || problem "somebody else can change bin/hello (checked as: $user)"
done

echo 'Looking at private'
can student rwx "$project/private" || problem 'you have not all rights on private'
for user in member other; do
  cannot "$user" rwx "$project/private" || problem "somebody else has rights on private (checked as: $user)"
done

echo 'Looking at shared'
can student rwx "$project/shared" || problem 'you have not all rights on shared'
cannot other rwx "$project/shared" || problem 'others have rights on shared'
if can member rwx "$project/shared" && made=$(member /usr/bin/mktemp "$project/shared/check.XXXXXXXX"); then
  [ "$(/usr/bin/stat -c %g -- "$made")" = 1000 ] ||
    problem 'a file that another member creates in shared does not belong to the group student'
  member /usr/bin/rm -f -- "$made"
else
  problem 'a member of the group student cannot list shared or cannot create files in it'
fi

echo 'Looking at dropbox'
if can other rx "$project/dropbox" && made=$(other /usr/bin/mktemp "$project/dropbox/check.XXXXXXXX"); then
  other /usr/bin/mv -- "$made" "$made.renamed" || problem 'others cannot rename their own files in dropbox'
  other /usr/bin/rm -f -- "$made" "$made.renamed" || problem 'others cannot delete their own files in dropbox'
else
  problem 'others cannot list dropbox or cannot create files in it'
fi
if made=$(student /usr/bin/mktemp "$project/dropbox/check.XXXXXXXX"); then
  other /usr/bin/rm -f -- "$made" && problem 'others can delete files of yours from dropbox'
  student /usr/bin/rm -f -- "$made"
else
  problem 'you cannot create files in dropbox'
fi

# The last step: what the student wrote runs as the other users, who could then get at what comes after it.
echo 'Running hello'
for user in student member other; do
  "$user" -f 100 "$hello" >"$private/said"
  if [ "$(head -c 200 "$private/said" | tr -d '\000')" != hello ]; then
    problem "bin/hello cannot be run by somebody, or does not print hello and nothing else (checked as: $user)"
    break
  fi
done
verdict
