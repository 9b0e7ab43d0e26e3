#!/bin/bash
# The archive is unpacked, as the student, beside nothing else, and compared with the original.
problems=0
problem() {
  printf -- '- %s\n' "$*"
  problems=$((problems + 1))
}
finish() {
  [ "$problems" -eq 0 ] && echo PASS || echo FAIL
  exit
}
as_student() {
  /usr/bin/timeout -k 1 10 /usr/bin/setpriv --reuid 1000 --regid 1000 --clear-groups -- \
    /usr/bin/env -i HOME=/home/student LANG=C.UTF-8 PATH=/usr/bin:/bin "$@" 2>/dev/null
}

backup=/home/student/backup
archive=$backup/git-core.tar.gz
source=/usr/lib/git-core

echo 'Looking at the archive'
if [ -L "$archive" ] || [ ! -f "$archive" ]; then
  problem "$archive is not a regular file"
  finish
fi
size=$(/usr/bin/stat -c %s "$archive")
if [ "$size" -gt 60000000 ]; then
  problem "the archive has $size bytes, far more than it needs"
  finish
fi
mode=$(/usr/bin/stat -c %a "$archive")
[ $((0$mode & 077)) -eq 0 ] || problem "the archive has the mode $mode: not you alone can use it"

echo 'Unpacking it'
work=$(/usr/bin/mktemp -d /tmp/check.XXXXXXXX) || exit 1
trap '/usr/bin/rm -rf "$work"' EXIT
# What comes out of the archive has a directory of its own: nothing is written there as root.
room=$work/room
chmod 755 "$work" && mkdir "$room" && chown 1000:1000 "$room"
# The limit ends an archive that unpacks without end.
# shellcheck disable=SC2016 # expanded in the student's shell
if ! as_student /bin/bash -c '
  cd "$1" && ulimit -f 60000 && set -o pipefail || exit
  gzip -dc <"$2" | head -c 100000000 | tar --delay-directory-restore -xpf -' check "$room" "$archive"; then
  problem 'gzip and tar cannot unpack it without an error'
  finish
fi

# Name, kind, mode, time of the last change in seconds, target of a link, or the content's hash.
describe() { # describe DIRECTORY [EXPRESSION FOR FIND...]
  local directory=$1
  shift
  # shellcheck disable=SC2016 # expanded in the student's shell
  as_student /bin/bash -c 'cd "$1" && shift || exit
    find git-core "$@" -type d -printf "%p d %m\n"
    find git-core "$@" -type l -printf "%p l %l\n"
    find git-core "$@" -type f -printf "%p f %m %Ts\n"
    find git-core "$@" -type f -exec sha256sum {} + | sed "s/^\([0-9a-f]*\)  \(.*\)/\2 content \1/"
    ' check "$directory" "$@" | LC_ALL=C sort
}
describe "${source%/*}" -path git-core/mergetools -prune -o ! -name 'git-remote-*' >"$work/want"
describe "$room" >"$work/got"
others=$(as_student /bin/ls -A "$room" | grep -cvx git-core)
[ "$others" -eq 0 ] || problem "the archive holds something beside the directory git-core at its top"
if [ ! -d "$room/git-core" ]; then
  problem 'the names in the archive do not begin with git-core/'
  finish
fi
names() { cut -d ' ' -f 1 "$1" | LC_ALL=C sort -u; }
names "$work/want" >"$work/want-names"
names "$work/got" >"$work/got-names"
missing=$(LC_ALL=C /usr/bin/comm -23 "$work/want-names" "$work/got-names" | wc -l)
extra=$(LC_ALL=C /usr/bin/comm -13 "$work/want-names" "$work/got-names" | wc -l)
[ "$missing" -eq 0 ] || problem "$missing of $(wc -l <"$work/want-names") files, links and directories are missing"
[ "$extra" -eq 0 ] || problem "$extra files, links or directories should not be there"
if [ "$missing" -eq 0 ] && [ "$extra" -eq 0 ] && ! cmp -s "$work/want" "$work/got"; then
  kinds=$(LC_ALL=C /usr/bin/comm -3 "$work/want" "$work/got" | tr -d '\t' | cut -d ' ' -f 2 | sort -u)
  case $kinds in
    *content*) problem 'the content of a file differs from the original' ;;
    *l*) problem 'a symbolic link is missing as such, or leads elsewhere than the original' ;;
    *) problem 'a mode, or the time of the last change of a file, differs from the original' ;;
  esac
fi

echo 'Looking at SHA256SUMS'
if ! as_student /usr/bin/test -f "$backup/SHA256SUMS"; then
  problem "$backup/SHA256SUMS is not a file"
else
  hash=$(as_student /usr/bin/sha256sum <"$archive" | cut -d ' ' -f 1)
  as_student /usr/bin/head -c 4096 "$backup/SHA256SUMS" | tr -d '\000' >"$work/sums"
  if ! grep -Eqx "$hash [ *](\./|$backup/)?git-core\.tar\.gz" "$work/sums"; then
    problem 'sha256sum -c would not find the archive to be right'
  elif [ "$(wc -l <"$work/sums")" -ne 1 ]; then
    problem 'SHA256SUMS is not about the archive alone'
  fi
fi
finish
