#!/bin/bash
# Logs in as the student would, with a list of known hosts that the check writes.

key=/home/student/.ssh/depot
for path in /home/deploy /home/deploy/.ssh; do
  is_folder "$path" || problem "$path is not a folder"
done
for path in "$key" /home/deploy/.ssh/authorized_keys; do
  is_file "$path" || problem "$path is not a file"
done
[ "$problems" -eq 0 ] || verdict
owner() { must stat -c %U "$1"; }
[ "$(owner "$key")" = student ] || problem "$key does not belong to you"
case $(must stat -c %a "$key") in
  600 | 400) ;;
  *) problem "$key can be used by others, or not changed by you" ;;
esac
for path in /home/deploy /home/deploy/.ssh /home/deploy/.ssh/authorized_keys; do
  [ "$(owner "$path")" = deploy ] || problem "$path does not belong to deploy"
  [ $((0$(must stat -c %a "$path") & 022)) -eq 0 ] || problem "others than deploy can write to $path"
done
cmp -s /root/depot.pub /home/deploy/.ssh/authorized_keys || problem 'the keys in authorized_keys have changed'
[ "$problems" -eq 0 ] || verdict

must [ -s /etc/ssh/depot_host_key.pub ]
echo "[127.0.0.1]:2222 $(cut -d ' ' -f 1,2 /etc/ssh/depot_host_key.pub)" >"$shared/known"
must chmod 644 "$shared/known"
want=$(must cat /home/deploy/token)
must [ "${#want}" -eq 16 ]
got=$(as_student -l -t 10 -C /home/student /usr/bin/ssh -F none -i "$key" -o IdentitiesOnly=yes -o BatchMode=yes -o ConnectTimeout=5 \
  -o UserKnownHostsFile="$shared/known" -o GlobalKnownHostsFile=none -p 2222 deploy@127.0.0.1 'cat ~/token' 2>/dev/null)
[ "$got" = "$want" ] || problem 'the server does not accept the key, or is not running'
verdict
