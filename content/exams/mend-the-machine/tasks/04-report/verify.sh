#!/bin/bash
# Reads the file as cron does, then runs its command as cron would, with sockets of the check's own.

file=/etc/cron.d/daily-report script=/usr/local/bin/daily-report folder=/srv/reports
/usr/bin/pgrep -x cron >/dev/null || problem 'the cron daemon is not running'
if ! is_file "$file"; then
  problem "$file is not a file"
  verdict
fi
{ [ "$(must stat -c %u "$file")" = 0 ] && [ $((0$(must stat -c %a "$file") & 022)) -eq 0 ]; } ||
  problem "cron does not accept the owner or the permissions of $file"
[ -z "$(tail -c 1 "$file" | tr -d '\n')" ] || problem "the last line of $file has no end"
jobs=$(tr -d '\000' <"$file" | sed 's/^[[:space:]]*//' | grep -v -e '^#' -e '^$' -e '^[A-Za-z_][A-Za-z_0-9]*[[:space:]]*=')
if [ "$(printf '%s\n' "$jobs" | grep -c .)" -ne 1 ]; then
  problem "$file does not have exactly one job"
  verdict
fi
read -r minute hour day month weekday user command <<<"$jobs"
[ "$minute $day $month" = '10 * *' ] || problem 'the job does not run at 06:10 each day of the week that is asked for'
case $hour in
  6 | 06) ;;
  *) problem 'the job does not run at 06:10' ;;
esac
case $weekday in
  1-5 | 1,2,3,4,5 | [Mm][Oo][Nn]-[Ff][Rr][Ii]) ;;
  *) problem 'the job does not run from Monday to Friday' ;;
esac
[ "$user" = reporter ] || problem 'the job does not run as reporter'
case $command in
  *%*) problem 'the command has a %, which cron takes for a line end' ;;
  *"$script"*) ;;
  *) problem "the job does not run $script" ;;
esac
uid=$(awk -F : '$1 == "reporter" { print $3 }' /etc/passwd)
gid=$(awk -F : '$1 == "reporter" { print $4 }' /etc/passwd)
if [ -z "$uid" ]; then
  problem 'there is no account reporter'
  verdict
fi
{ is_folder "$folder" && [ "$(must stat -c %u "$folder")" = "$uid" ] && [ $((0$(must stat -c %a "$folder") & 022)) -eq 0 ]; } ||
  problem "$folder does not belong to reporter, or others can write to it"
{ is_file "$script" && [ "$(must stat -c %u "$script")" = 0 ] && [ $((0$(must stat -c %a "$script") & 022)) -eq 0 ]; } ||
  problem "others than root can write to $script"
[ "$problems" -eq 0 ] || verdict

# Reports of another day are not touched. That of today is put back afterwards.
today=$folder/$(date -u +%F).txt
if [ -f "$today" ]; then must cp -p "$today" "$private/kept"; fi
listener=''
give_back() {
  [ -z "$listener" ] || kill "$listener" 2>/dev/null
  rm -f "$today"
  if [ -f "$private/kept" ]; then cp -p "$private/kept" "$today"; fi
}
trap give_back EXIT
rm -f "$today"
# Port 7399 is 1CE7.
/usr/bin/timeout 20 nc -l -p 7399 </dev/null >/dev/null 2>&1 &
listener=$!
listening() { cat /proc/net/tcp /proc/net/tcp6 2>/dev/null | awk '$4 == "0A"'; }
for _ in {1..150}; do
  listening | grep -qi ':1CE7 ' && break
  /usr/bin/sleep 0.1
done
listening >"$private/sockets"
must grep -qi ':1CE7 ' "$private/sockets"
listening=$(must grep -c . "$private/sockets")
accounts=$(must wc -l </etc/passwd)
must [ "$accounts" -gt 5 ]
/usr/bin/timeout 10 /usr/bin/setpriv --reuid="$uid" --regid="$gid" --init-groups --no-new-privs /usr/bin/env -i HOME=/home/reporter LOGNAME=reporter \
  SHELL=/bin/sh PATH=/usr/bin:/bin /bin/sh -c "cd /home/reporter; $command" </dev/null >"$private/said" 2>&1
status=$?
[ "$status" -eq 0 ] || problem "the job ends with $status"
[ ! -s "$private/said" ] || problem 'the job prints something'
if ! is_file "$today"; then
  problem 'the job does not write the report of the day'
  verdict
fi
[ "$(must stat -c %u "$today")" = "$uid" ] || problem 'the report does not belong to reporter'
[ "$(head -c 1000 "$today" | tr -d '\000')" = "$(printf 'accounts: %s\nlistening: %s' "$accounts" "$listening")" ] ||
  problem 'the report does not have the two lines with the right numbers'
verdict
