#!/bin/bash
# Lists and unpacks a copy of the archive, with an account that the student cannot reach, and compares.
text() { student_file "$1" 20000; }

pack=/home/student/pack
for name in ssh.tar.gz contents.txt; do
  is_file "$pack/$name" || problem "$pack/$name is not a file"
done
[ "$problems" -eq 0 ] || verdict
export LC_ALL=C
if ! as_student -f 20000 /usr/bin/dd if="$pack/ssh.tar.gz" iflag=nofollow,nonblock bs=1M status=none >"$private/archive"; then
  problem "$pack/ssh.tar.gz cannot be read"
  verdict
fi
names=$(as_stranger -i "$private/archive" /usr/bin/tar -tzf - 2>/dev/null | head -c 100000)
if [ -z "$names" ]; then
  problem 'gzip and tar cannot read the archive'
  verdict
fi
printf '%s\n' "$names" | grep -qv '^ssh/' && problem 'a name in the archive does not begin with ssh/'
# What everybody may read is what the student may read.
as_stranger /usr/bin/find /etc/ssh -type f -readable -printf 'ssh/%P\n' >"$private/files" 2>/dev/null
checked=0
while IFS= read -r file && [ "$checked" -lt 30 ]; do
  checked=$((checked + 1))
  want=$(must sha256sum "/etc/$file" | cut -d ' ' -f 1)
  must [ "${#want}" -eq 64 ]
  got=$(as_stranger -i "$private/archive" /usr/bin/tar -xzOf - "$file" 2>/dev/null | head -c 5000000 | sha256sum | cut -d ' ' -f 1)
  [ "$got" = "$want" ] || problem "the archive does not hold $file as it is in /etc"
done <"$private/files"
[ "$checked" -gt 0 ] || problem 'there is nothing to compare'
[ "$(text "$pack/contents.txt" | sort)" = "$(printf '%s\n' "$names" | sort)" ] ||
  problem 'contents.txt is not the list of the names in the archive'
verdict
