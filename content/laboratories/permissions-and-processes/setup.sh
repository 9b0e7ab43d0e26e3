#!/bin/bash
# A folder that locks its team out, and two programs of the student.
set -e
groupadd studio
useradd --create-home --shell /bin/bash --groups studio mia
usermod --append --groups studio student
mkdir -p /srv/studio/drafts
echo 'A song in three parts' >/srv/studio/score.txt
echo 'The second part, unfinished' >/srv/studio/drafts/part2.txt
chown -R student:student /srv/studio
chmod 700 /srv/studio
chmod 755 /srv/studio/drafts
chmod 600 /srv/studio/score.txt
chmod 604 /srv/studio/drafts/part2.txt

mkdir -p /opt/lab
cat >/opt/lab/harvest <<'PROGRAM'
#!/bin/bash
trap '' TERM INT HUP
while :; do sleep 2; done
PROGRAM
cat >/opt/lab/indexer <<'PROGRAM'
#!/bin/bash
while :; do sleep 3; done
PROGRAM
chmod 755 /opt/lab/harvest /opt/lab/indexer
for program in harvest indexer; do
  setsid setpriv --reuid=1000 --regid=1000 --init-groups "/opt/lab/$program" </dev/null >/dev/null 2>&1 &
  # `pgrep` would also find a copy of a program that is about to become its `sleep`.
  pid=$!
  until [ "$(cat "/proc/$pid/comm")" = "$program" ]; do sleep 0.05; done
done
# The process of the indexer and the time of its start, which tell it from a later one of the same number.
echo "$pid $(sed 's/.*) //' "/proc/$pid/stat" | cut -d ' ' -f 20)" >/root/indexer
