#!/bin/bash
set -e
sudo groupadd -f webops
for user in mia tom; do
  sudo useradd --create-home --shell /bin/bash --groups webops "$user"
done
sudo chage --expiredate 2030-12-31 tom
sudo tee /etc/sudoers.d/webops >/dev/null <<'RULES'
%webops ALL=(root) NOPASSWD: /usr/sbin/nginx -t, /usr/sbin/nginx -s reload
RULES
sudo chmod 0440 /etc/sudoers.d/webops
sudo visudo -c
