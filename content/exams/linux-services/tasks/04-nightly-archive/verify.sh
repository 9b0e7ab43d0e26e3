#!/bin/bash
# Reads the schedule from the crontab, then runs the job as cron would, on new files.

inbox=/srv/inbox
archives=/srv/archive
token=$(random_token)
folder="$inbox/check $token"
old="$archives/inbox-1999-01-$token.tar.gz" recent="$archives/inbox-1999-02-$token.tar.gz"
other="$archives/check-$token.txt"
trap 'rm -rf "$folder" "$old" "$recent" "$other"' EXIT

echo 'Looking at the directories and at cron'
for dir in "$inbox" "$archives"; do
  if [ -L "$dir" ] || [ ! -d "$dir" ]; then
    problem "$dir is not a directory"
  elif [ "$(/usr/bin/stat -c %u "$dir")" != 1000 ]; then
    problem "$dir does not belong to student"
  fi
done
/usr/bin/pgrep -x cron >/dev/null || problem 'the cron daemon is not running'

echo 'Looking at the crontab of student'
/usr/bin/timeout 3 /usr/bin/crontab -u student -l >"$private/crontab" 2>/dev/null </dev/null
sed 's/^[[:space:]]*//' "$private/crontab" | tr -d '\000' | grep -v -e '^#' -e '^$' >"$private/lines"
# Settings (NAME = value), with or without quotes, hold for the jobs below them; all others are jobs.
assignment='^[A-Za-z_][A-Za-z_0-9]*[[:space:]]*='
settings=(SHELL=/bin/sh HOME=/home/student LOGNAME=student USER=student PATH=/usr/bin:/bin)
jobs=0
while IFS= read -r line; do
  if printf '%s\n' "$line" | grep -q "$assignment"; then
    name=${line%%=*}
    value=$(printf '%s\n' "${line#*=}" | sed -e 's/^[[:space:]]*//' -e 's/[[:space:]]*$//' -e "s/^\\(['\"]\\)\\(.*\\)\\1\$/\\2/")
    settings+=("${name%%[[:space:]]*}=$value")
  else
    jobs=$((jobs + 1))
    job=$line
  fi
done <"$private/lines"
if [ "$jobs" -ne 1 ]; then
  problem "the crontab of student has $jobs jobs"
  verdict
fi

# values FIELD MINIMUM MAXIMUM [NAMES]: the numbers that a field of a schedule stands for, in order
values() {
  printf '%s\n' "$1" | awk -v low="$2" -v high="$3" -v names="$4" '
    function number(text,    i) {
      for (i = 1; i <= count; i++) if (tolower(text) == word[i]) return i - 1
      if (text !~ /^[0-9]+$/ || text + 0 < low || text + 0 > high) bad = 1
      return text + 0
    }
    {
      count = split(names, word, " ")
      parts = split($0, part, ",")
      for (i = 1; i <= parts; i++) {
        step = 1
        if (split(part[i], piece, "/") == 2) step = piece[2]
        if (step !~ /^[0-9]+$/ || step < 1) { bad = 1; break }
        if (piece[1] == "*") { from = low; to = high }
        else { ends = split(piece[1], end, "-"); from = number(end[1]); to = number(end[ends]) }
        for (n = from; n <= to; n += step) set[n] = 1
      }
      if (bad) { print "?"; exit }
      if (high == 7 && (7 in set)) { set[0] = 1; delete set[7] }
      for (n = low; n <= high; n++) if (n in set) printf "%d ", n
    }'
}
echo 'Looking at the schedule'
read -r minute hour day month weekday command <<<"$job"
if [ -z "$command" ] || [ "${job:0:1}" = @ ]; then
  problem 'the job is not five fields of time and a command'
  verdict
fi
[ "$(values "$minute" 0 59) at $(values "$hour" 0 23)" = '30  at 2 ' ] || problem 'the job does not run at 02:30, and then only'
# A day of the month that does not begin with a star would make cron run the job on days of either kind.
if [ "${day:0:1}" != '*' ] || [ "$(values "$day" 1 31 | wc -w)" -ne 31 ] ||
  [ "$(values "$month" 1 12 '- jan feb mar apr may jun jul aug sep oct nov dec' | wc -w)" -ne 12 ] ||
  [ "$(values "$weekday" 0 7 'sun mon tue wed thu fri sat')" != '1 2 3 4 5 ' ]; then
  problem 'the job does not run on each day from Monday to Friday, and then only'
fi
[ "$problems" -eq 0 ] || verdict

: >"$private/input"
# To cron the first percent sign ends the command, unless a backslash stands before it.
printf '%s\n' "$command" | awk -v input="$private/input" '{
  for (i = 1; i <= length($0); i++) {
    c = substr($0, i, 1)
    if (c == "\\" && substr($0, i + 1, 1) == "%") { c = "%"; i++ }
    else if (c == "%") { c = "\n"; behind = behind c; continue }
    if (behind == "") printf "%s", c; else behind = behind c
  }
  printf "%s", substr(behind, 2) > input
}' >"$private/command"

echo 'Running the job as cron would, with new files'
mkdir "$folder" && echo "content $token" >"$folder/.hidden $token" && chown -R 1000:1000 "$folder"
for file in "$old" "$recent" "$other"; do : >"$file" && chown 1000:1000 "$file"; done
/usr/bin/touch -d '20 days ago' "$old"
/usr/bin/touch -d '10 days ago' "$recent"
/usr/bin/touch -d '30 days ago' "$other"
shell=/bin/sh
for setting in "${settings[@]}"; do
  case $setting in SHELL=*) shell=${setting#SHELL=} ;; esac
done
today=$(date +%F)
as_student -l -t 8 -f 100000 -i "$private/input" -C /home/student \
  /usr/bin/env -i "${settings[@]}" "$shell" -c "$(cat "$private/command")" >"$private/out" 2>&1
archive=$archives/inbox-$today.tar.gz
[ -f "$archive" ] || archive=$archives/inbox-$(date +%F).tar.gz
if [ -s "$private/out" ]; then
  problem "the job writes something: $(head -c 300 "$private/out" | head -n 2 | tr -cd '\040-\176')"
fi
if [ -L "$archive" ] || [ ! -f "$archive" ]; then
  problem 'the job did not make the archive of today'
elif ! as_student -f 200000 /usr/bin/dd if="$archive" iflag=nofollow,nonblock bs=1M status=none >"$private/archive" ||
  [ "$(as_stranger -i "$private/archive" /usr/bin/tar -xzOf - "inbox/check $token/.hidden $token" 2>/dev/null |
    head -c 200 | tr -d '\000')" != "content $token" ]; then
  problem 'the archive of today does not hold, under inbox/, all that is in the inbox'
fi
[ -e "$folder/.hidden $token" ] || problem 'the job changed what is in the inbox'
[ ! -e "$old" ] || problem 'an archive 20 days old is still there'
[ -e "$recent" ] || problem 'an archive 10 days old was deleted'
[ -e "$other" ] || problem 'a file that is no archive of the inbox was deleted'
verdict
