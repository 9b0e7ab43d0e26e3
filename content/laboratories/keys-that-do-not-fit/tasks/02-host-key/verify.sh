#!/bin/bash
# Compares a copy of the list with the key of the server.

file=/home/student/.ssh/known_hosts
if ! is_file "$file"; then
  problem "$file is not a file"
  verdict
fi
student_file "$file" >"$shared/known"
must chmod 644 "$shared/known"
want=$(must cut -d ' ' -f 1,2 /etc/ssh/depot_host_key.pub)
must [ -n "$want" ]
must grep -qxF "$(ssh-keygen -lf /etc/ssh/depot_host_key.pub | cut -d ' ' -f 2)" /usr/local/share/depot/fingerprint
# Hashed entries are found as well.
as_other '' /usr/bin/ssh-keygen -F '[127.0.0.1]:2222' -f "$shared/known" 2>/dev/null | grep -v '^#' | cut -d ' ' -f 2,3 >"$private/found"
grep -qxF "$want" "$private/found" || problem "$file does not have the present key of the server"
grep -vxF "$want" "$private/found" | grep -q . && problem "$file has another key for the server"
must [ -s /root/other_hosts ]
while read -r name key; do
  as_other '' /usr/bin/ssh-keygen -F "$name" -f "$shared/known" 2>/dev/null | grep -v '^#' | cut -d ' ' -f 2,3 |
    grep -qxF "$key" || problem "the entry of $name is gone"
done </root/other_hosts
verdict
