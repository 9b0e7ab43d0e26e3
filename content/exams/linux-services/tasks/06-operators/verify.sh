#!/bin/bash
# Asks sudo itself, as different users, what they may do.

echo 'Looking at the group and the accounts'
gid=$(/usr/bin/getent group webops | cut -d : -f 3)
[ -n "$gid" ] || problem 'there is no group webops'
for user in mia tom; do
  IFS=: read -r _ _ uid _ _ home shell <<<"$(/usr/bin/getent passwd "$user")"
  if [ -z "$uid" ]; then
    problem "there is no user $user"
    continue
  fi
  { [ "$uid" -ne 0 ] && [ "$uid" -ne 1000 ]; } || problem "$user has the user id of somebody else"
  [ "$home" = "/home/$user" ] || problem "the home directory of $user is $home"
  if [ -L "/home/$user" ] || [ ! -d "/home/$user" ] || [ "$(/usr/bin/stat -c %u "/home/$user")" != "$uid" ]; then
    problem "/home/$user is not a directory that belongs to $user"
  fi
  case $shell in
    /bin/bash | /usr/bin/bash) ;;
    *) problem "the shell of $user is $shell" ;;
  esac
  [ -z "$gid" ] || /usr/bin/id -G "$user" | tr ' ' '\n' | grep -qx "$gid" || problem "$user is not a member of webops"
done
expires() { /usr/bin/getent shadow "$1" | cut -d : -f 8; }
# In shadow(5) a date is a number of days since 1970.
[ "$(expires tom)" = "$(($(/usr/bin/date -u -d 2030-12-31 +%s) / 86400))" ] || problem 'the account of tom does not expire on the right day'
[ -z "$(expires mia)" ] || problem 'the account of mia expires'
[ "$problems" -eq 0 ] || verdict

echo 'Asking sudo'
drop_in=/etc/sudoers.d/webops
if [ -L "$drop_in" ] || [ ! -f "$drop_in" ]; then
  problem "$drop_in is not a regular file"
  verdict
fi
system visudo -c >/dev/null 2>&1 || problem 'visudo -c finds an error in the sudoers files'
# may USER GROUPS COMMAND...: may USER, as a member of GROUPS, run this as root without a password?
may() {
  local uid gid groups=$2
  uid=$(/usr/bin/id -u "$1") gid=$(/usr/bin/id -g "$1")
  shift 2
  /usr/bin/timeout -k 1 5 /usr/bin/setpriv --reuid "$uid" --regid "$gid" --groups "${groups:-$gid}" -- \
    /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 /usr/bin/sudo -n -l -- "$@" >/dev/null 2>&1 </dev/null
}
for user in mia tom nobody; do
  # nobody stands for the next member of the group
  who=$user
  [ "$user" = nobody ] && who='another member of webops'
  may "$user" "$gid" /usr/sbin/nginx -t || problem "$who may not run: nginx -t"
  may "$user" "$gid" /usr/sbin/nginx -s reload || problem "$who may not run: nginx -s reload"
  for denied in '/usr/sbin/nginx' '/usr/sbin/nginx -s stop' '/usr/sbin/nginx -t -c /tmp/own.conf' '/usr/bin/id' '/bin/bash'; do
    # shellcheck disable=SC2086 # the command's words
    may "$user" "$gid" $denied && problem "$who may run more than was asked for, for example: $denied"
  done
  [ "$problems" -eq 0 ] || break
done
may nobody '' /usr/sbin/nginx -t && problem 'users who are not members of webops may run: nginx -t'
verdict
