#!/bin/bash
# Looks at the files, then waits for a new line and asks who writes it.

program=/usr/local/bin/ticker unit=/etc/systemd/system/ticker.service values=/etc/default/ticker
folder=/var/lib/ticker
uid=$(awk -F : '$1 == "ticker" { print $3 }' /etc/passwd)
if [ -z "$uid" ]; then
  problem 'there is no account ticker'
  verdict
fi
for file in "$program" "$unit" "$values"; do
  if ! is_file "$file"; then
    problem "$file is not a file"
  elif [ "$(must stat -c %u "$file")" != 0 ] || [ $((0$(must stat -c %a "$file") & 022)) -ne 0 ]; then
    problem "$file can be changed by others than root"
  fi
done
[ "$(sha256sum <"$program" 2>/dev/null)" = "$(must cat /root/ticker.sum)" ] || problem 'the text of the program has changed'
if ! is_folder "$folder"; then
  problem "$folder is not a folder"
elif [ "$(must stat -c %u "$folder")" != "$uid" ] || [ $((0$(must stat -c %a "$folder") & 022)) -ne 0 ]; then
  problem "$folder does not belong to ticker, or others can write to it"
fi
[ "$(system systemctl is-enabled ticker 2>/dev/null)" = enabled ] || problem 'the service does not start with the machine'
if [ "$(system systemctl is-active ticker 2>/dev/null)" != active ]; then
  problem 'the service is not running'
  verdict
fi
# Three seconds suffice. A busy machine gets more.
count() { { is_file "$folder/ticks" && wc -l <"$folder/ticks"; } 2>/dev/null || echo 0; }
before=$(count)
for _ in {1..30}; do
  [ "$(count)" -gt "$before" ] && break
  /usr/bin/sleep 0.2
done
# Only now: a service that has just begun is not yet its program.
pid=$(system systemctl show --property MainPID --value ticker 2>/dev/null | tr -cd '0-9')
grep -q "^Uid:[[:space:]]*${uid}[[:space:]]*${uid}[[:space:]]" "/proc/${pid:-0}/status" 2>/dev/null ||
  problem 'the main process of the service does not run as ticker'
tr '\000' '\n' <"/proc/${pid:-0}/cmdline" 2>/dev/null | grep -qx "$program" || problem "the service does not run $program"
[ "$(count)" -gt "$before" ] || problem "nothing is written to $folder/ticks"
case $(tail -n 1 "$folder/ticks" 2>/dev/null | head -c 100) in
  *' ticker') ;;
  *) problem "the last line of $folder/ticks does not come from ticker" ;;
esac
verdict
