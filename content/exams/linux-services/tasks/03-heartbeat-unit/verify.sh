#!/bin/bash
# Watches the service, gives it new values, kills it, and stops it.
# The system's programs get the system's PATH: the grader's tools come first on ours.
systemctl() {
  /usr/bin/timeout 10 /usr/bin/env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 \
    systemctl "$@" </dev/null 2>/dev/null
}

program=/usr/local/bin/heartbeat
unit=/etc/systemd/system/heartbeat.service
values=/etc/default/heartbeat
data=/var/lib/heartbeat
token=$(random_token)

echo 'Looking at the account and the files'
IFS=: read -r _ _ uid _ _ _ shell <<<"$(/usr/bin/getent passwd heartbeat)"
if [ -z "$uid" ]; then
  problem 'there is no user heartbeat'
else
  { [ "$uid" -gt 0 ] && [ "$uid" -lt 1000 ]; } || problem "heartbeat is not a system account (user id $uid)"
  case $shell in
    */nologin | */false) ;;
    *) problem "heartbeat can log in (shell $shell)" ;;
  esac
fi
for file in "$program" "$unit" "$values"; do
  if [ -L "$file" ] || [ ! -f "$file" ]; then
    problem "$file is not a regular file"
  elif [ "$(/usr/bin/stat -c %u "$file")" != 0 ] || [ $((0$(/usr/bin/stat -c %a "$file") & 022)) -ne 0 ]; then
    problem "$file can be changed by others than root"
  fi
done
if [ -L "$data" ] || [ ! -d "$data" ] || [ "$(/usr/bin/stat -c %u "$data")" != "$uid" ]; then
  problem "$data is not a directory that belongs to heartbeat"
fi
[ "$problems" -eq 0 ] || verdict

main_pid() { systemctl show --property MainPID --value heartbeat | tr -cd '0-9'; }
# beats FILE NAME: waits up to 5 seconds for a line that is not older than 2
beats() {
  local line time end=$((SECONDS + 5))
  while [ "$SECONDS" -lt "$end" ]; do
    line=''
    [ -f "$1" ] && [ ! -L "$1" ] && line=$(tail -n 1 "$1" | head -c 300 | tr -d '\000')
    time=${line%% *}
    case $time in
      '' | *[!0-9]*) ;;
      *) [ "${line#* }" = "heartbeat $2" ] && [ "$((${time:0:12} + 2))" -ge "$(date +%s)" ] && return 0 ;;
    esac
    /usr/bin/sleep 0.1
  done
  return 1
}

echo 'Looking at the service as it runs'
[ "$(systemctl is-enabled heartbeat)" = enabled ] || problem 'the service does not start with the machine'
if [ "$(systemctl is-active heartbeat)" != active ]; then
  problem 'the service is not active'
  verdict
fi
# Right after its start the process is still that of systemd, which becomes the user and then the program.
runs_as_heartbeat() {
  pid=$(main_pid)
  [ "${pid:-0}" -ne 0 ] && grep -q "^Uid:[[:space:]]*${uid}[[:space:]]" "/proc/$pid/status" 2>/dev/null
}
runs_program() { tr '\000' '\n' <"/proc/$pid/cmdline" 2>/dev/null | grep -qx "$program"; }
end=$((SECONDS + 3))
until runs_as_heartbeat && runs_program || [ "$SECONDS" -ge "$end" ]; do /usr/bin/sleep 0.1; done
if ! runs_as_heartbeat; then
  problem 'the main process of the service does not run as heartbeat'
  verdict
fi
runs_program || problem "the main process of the service is not $program"
beats "$data/beats" 'first floor' || problem "$data/beats does not get a right line each second"
[ "$problems" -eq 0 ] || verdict

echo "Putting other values into $values, and restarting the service"
cp -p "$values" "$private/values"
# shellcheck disable=SC2317 # called by the trap
give_back() {
  cat "$private/values" >"$values"
  rm -f "$data/check-$token"
  systemctl restart heartbeat >/dev/null
}
trap 'give_back' EXIT
printf 'BEAT_FILE=%s\nBEAT_NAME="room %s, east"\n' "$data/check-$token" "$token" >"$values"
systemctl restart heartbeat >/dev/null
if ! beats "$data/check-$token" "room $token, east"; then
  problem 'after the restart the service does not work with the new values'
  verdict
fi

echo 'Killing the main process'
pid=$(main_pid)
kill -KILL "$pid" 2>/dev/null
again=''
end=$((SECONDS + 6)) # of which 3 are the student's
while [ "$SECONDS" -lt "$end" ]; do
  again=$(main_pid)
  [ "${again:-0}" -ne 0 ] && [ "$again" != "$pid" ] && break
  /usr/bin/sleep 0.2
done
if [ "${again:-0}" -eq 0 ] || [ "$again" = "$pid" ]; then
  problem 'within 3 seconds the service was not started again'
elif ! beats "$data/check-$token" "room $token, east"; then
  problem 'after the main process was killed no new lines are written'
fi

echo 'Stopping the service'
systemctl stop heartbeat >/dev/null
[ "$(systemctl is-active heartbeat)" != active ] || problem 'the service is still active'
/usr/bin/pgrep -u "$uid" >/dev/null && problem 'processes of heartbeat are still running'
verdict
