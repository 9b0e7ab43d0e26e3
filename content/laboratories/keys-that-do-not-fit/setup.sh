#!/bin/bash
# An SSH server with an account that refuses the student's key.
set -e
ssh-keygen -q -t ed25519 -N '' -C depot -f /etc/ssh/depot_host_key
cat >/etc/ssh/depot_config <<'CONFIG'
Port 2222
ListenAddress 127.0.0.1
HostKey /etc/ssh/depot_host_key
PidFile /run/depot.pid
AuthorizedKeysFile .ssh/authorized_keys
StrictModes yes
UsePAM no
PasswordAuthentication no
KbdInteractiveAuthentication no
AllowUsers deploy
CONFIG
cat >/etc/systemd/system/depot.service <<'UNIT'
[Unit]
Description=SSH server of the depot

[Service]
ExecStart=/usr/sbin/sshd -D -f /etc/ssh/depot_config -E /var/log/depot.log
Restart=on-failure

[Install]
WantedBy=multi-user.target
UNIT
mkdir -p /run/sshd /usr/local/share/depot
ssh-keygen -lf /etc/ssh/depot_host_key.pub | cut -d ' ' -f 2 >/usr/local/share/depot/fingerprint

# `*`, not `!`: sshd without PAM takes `!` for a locked account.
useradd --create-home --shell /bin/bash --password '*' deploy
ssh=/home/student/.ssh
mkdir -p -m 700 "$ssh"
ssh-keygen -q -t ed25519 -N '' -C student@desk -f "$ssh/depot"
mkdir /home/deploy/.ssh
cp "$ssh/depot.pub" /home/deploy/.ssh/authorized_keys
cp "$ssh/depot.pub" /root/depot.pub
printf '%08x%08x\n' "$SRANDOM" "$SRANDOM" >/home/deploy/token

# The keys of hosts as they were before.
work=$(mktemp -d)
for name in old git mail; do ssh-keygen -q -t ed25519 -N '' -C "$name" -f "$work/$name"; done
{
  echo "git.example $(cut -d ' ' -f 1,2 "$work/git.pub")"
  echo "[127.0.0.1]:2222 $(cut -d ' ' -f 1,2 "$work/old.pub")"
  echo "[mail.example]:2222 $(cut -d ' ' -f 1,2 "$work/mail.pub")"
} >"$ssh/known_hosts"
grep -v '^\[127' "$ssh/known_hosts" >/root/other_hosts
rm -r "$work"

chown -R deploy:deploy /home/deploy
chmod 600 /home/deploy/token
chmod 755 /home/deploy
chown -R student:student "$ssh"
# What is to be repaired.
chmod 644 "$ssh/depot"
chown student:student /home/deploy/.ssh/authorized_keys
chmod 664 /home/deploy/.ssh/authorized_keys
chmod 777 /home/deploy/.ssh
systemctl enable --now depot >/dev/null 2>&1
until ss -ltn | grep -q '127.0.0.1:2222 '; do sleep 0.05; done
