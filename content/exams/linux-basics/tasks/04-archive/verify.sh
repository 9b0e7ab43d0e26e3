#!/bin/bash
# A copy of the archive is unpacked, by an account that the student cannot reach, beside nothing else, and compared with the original.
backup=/home/student/backup
archive=$backup/git-core.tar.gz
source=/usr/lib/git-core
export LC_ALL=C

echo 'Looking at the archive'
if ! is_file "$archive"; then
  problem "$archive is not a regular file"
  verdict
fi
size=$(/usr/bin/stat -c %s "$archive")
if [ "$size" -gt 60000000 ]; then
  problem "the archive has $size bytes, far more than it needs"
  verdict
fi
mode=$(must /usr/bin/stat -c %a "$archive")
[ $((0$mode & 077)) -eq 0 ] || problem "the archive has the mode $mode: not you alone can use it"
if ! as_student -f 60000 /usr/bin/dd if="$archive" iflag=nofollow,nonblock,fullblock,count_bytes count=60000000 bs=1M status=none \
  >"$private/archive"; then
  problem "$archive cannot be read"
  verdict
fi

echo 'Unpacking it'
# The limit ends an archive that unpacks without end.
# shellcheck disable=SC2016 # expanded in the other shell
if ! unpack "$private/archive" room 60000 /bin/bash -c 'set -o pipefail
  gzip -dc | head -c 100000000 | tar --delay-directory-restore -xpf -'; then
  problem 'gzip and tar cannot unpack it without an error'
  verdict
fi
room=$vault/room

# Name, kind, mode, time of the last change in seconds, target of a link, or the content's hash. What it reads belongs to root, or to
# the account that has unpacked the archive.
describe() { # describe DIRECTORY FILE [EXPRESSION FOR FIND...]
  local directory=$1 file=$2
  shift 2
  (
    set -o pipefail
    cd "$directory" || exit
    {
      /usr/bin/find git-core "$@" -type d -printf '%p d %m\n' &&
        /usr/bin/find git-core "$@" -type l -printf '%p l %l\n' &&
        /usr/bin/find git-core "$@" -type f -printf '%p f %m %Ts\n' &&
        /usr/bin/find git-core "$@" -type f -exec /usr/bin/sha256sum {} + | sed 's/^\([0-9a-f]*\)  \(.*\)/\2 content \1/'
    } | sort >"$file"
  )
}
must describe "${source%/*}" "$private/want" -path git-core/mergetools -prune -o ! -name 'git-remote-*'
must [ -s "$private/want" ]
others=$(must ls -A "$room" | grep -cvx git-core)
[ "$others" = 0 ] || problem "the archive holds something beside the directory git-core at its top"
if ! is_folder "$room/git-core"; then
  problem 'the names in the archive do not begin with git-core/'
  verdict
fi
must describe "$room" "$private/got"
names() { (set -o pipefail && cut -d ' ' -f 1 "$private/$1" | sort -u >"$private/$1-names"); }
must names want
must names got
must /usr/bin/comm -23 "$private/want-names" "$private/got-names" >"$private/missing"
must /usr/bin/comm -13 "$private/want-names" "$private/got-names" >"$private/extra"
missing=$(must wc -l <"$private/missing") extra=$(must wc -l <"$private/extra")
[ "$missing" = 0 ] || problem "$missing of $(wc -l <"$private/want-names") files, links and directories are missing"
[ "$extra" = 0 ] || problem "$extra files, links or directories should not be there"
if [ "$missing" = 0 ] && [ "$extra" = 0 ] && ! cmp -s "$private/want" "$private/got"; then
  kinds=$(/usr/bin/comm -3 "$private/want" "$private/got" | tr -d '\t' | cut -d ' ' -f 2 | sort -u)
  case $kinds in
    *content*) problem 'the content of a file differs from the original' ;;
    *l*) problem 'a symbolic link is missing as such, or leads elsewhere than the original' ;;
    *) problem 'a mode, or the time of the last change of a file, differs from the original' ;;
  esac
fi

echo 'Looking at SHA256SUMS'
if ! is_file "$backup/SHA256SUMS"; then
  problem "$backup/SHA256SUMS is not a file"
else
  hash=$(must sha256sum "$private/archive" | cut -d ' ' -f 1)
  must [ "${#hash}" -eq 64 ]
  student_file "$backup/SHA256SUMS" 4096 >"$private/sums"
  if ! grep -Eqx "$hash [ *](\./|$backup/)?git-core\.tar\.gz" "$private/sums"; then
    problem 'sha256sum -c would not find the archive to be right'
  elif [ "$(must wc -l <"$private/sums")" != 1 ]; then
    problem 'SHA256SUMS is not about the archive alone'
  fi
fi
verdict
