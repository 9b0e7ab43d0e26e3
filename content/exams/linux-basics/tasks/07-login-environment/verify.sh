#!/bin/bash
# Starts login shells as the student and looks at what a program started from them gets.

tools=/home/student/tools/bin
token=$(random_token)

# Run in the login shell. Two programs are put into tools/bin: one of a new name, and one
# that has the name of a program of the system.
# shellcheck disable=SC2016 # expanded in the student's shell
probe='
  tools=/home/student/tools/bin token=$1
  printf "#!/bin/sh\necho own-%s\n" "$token" >"$tools/check-$token" && /usr/bin/chmod 755 "$tools/check-$token" &&
    /usr/bin/ln -s "check-$token" "$tools/tsort-$token" && /usr/bin/mv -n "$tools/tsort-$token" "$tools/tsort"
  echo "probe-$token-start"
  echo "found=$("check-$token")"
  echo "shadow=$(tsort)"
  echo "system=$(ls -d /)"
  /usr/bin/rm -f "$tools/check-$token" "$tools/tsort-$token"
  [ "$(/usr/bin/readlink "$tools/tsort")" = "check-$token" ] && /usr/bin/rm -f "$tools/tsort"
  echo "editor=$(/usr/bin/printenv EDITOR)"
  echo "backup=$(/usr/bin/printenv BACKUP_DIR)"
  file=$(/usr/bin/mktemp -u /tmp/check-umask.XXXXXXXX)
  : >"$file"; /usr/bin/mkdir "$file.d"
  echo "file=$(/usr/bin/stat -c %a "$file")"
  echo "directory=$(/usr/bin/stat -c %a "$file.d")"
  /usr/bin/rm -rf "$file" "$file.d"
  echo "probe-$token-end"
'
if ! is_folder "$tools"; then
  problem "$tools is not a directory"
fi
for kind in -lc -lic; do
  case $kind in
    -lc) echo 'Starting a login shell that is not interactive' ;;
    -lic) echo 'Starting an interactive login shell' ;;
  esac
  as_student -t 4 -f 1024 -C /home/student /bin/bash "$kind" "$probe" check "$token" >"$private/out" 2>/dev/null
  head -c 20000 "$private/out" | tr -d '\000' >"$private/got"
  if ! grep -qx "probe-$token-end" "$private/got"; then
    problem 'the shell did not get as far as running commands'
    break
  fi
  value() { sed -n "s/^$1=//p" "$private/got" | head -n 1 | head -c 200; }
  [ "$(head -n 1 "$private/got")" = "probe-$token-start" ] || problem 'your start-up files print something'
  [ "$(value found)" = "own-$token" ] || problem "a program in $tools is not found by its name"
  [ "$(value shadow)" = "own-$token" ] || problem "a program in $tools does not win over one of the system"
  [ "$(value system)" = / ] || problem 'the programs of the system are no longer found'
  [ "$(value editor)" = "$PARAM_EDITOR" ] || problem 'programs do not get the right EDITOR'
  [ "$(value backup)" = /home/student/backup ] || problem 'programs do not get the right BACKUP_DIR'
  [ "$(value file)" = 640 ] || problem "a new file has the mode $(value file)"
  [ "$(value directory)" = 750 ] || problem "a new directory has the mode $(value directory)"
done

verdict
