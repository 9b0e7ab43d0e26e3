#!/bin/bash
# Two web servers, and a machine that finds the wrong one.
set -e
rm -f /etc/nginx/sites-enabled/default
cat >/etc/nginx/conf.d/wiki.conf <<'SITES'
server {
    listen 127.0.0.41:80;
    server_name wiki.example;
    root /srv/wiki-old;
}
server {
    listen 127.0.0.42:80;
    server_name wiki.example;
    root /srv/wiki;
}
SITES
systemctl enable --now nginx >/dev/null 2>&1
# The addresses of the machine's own name, for the check.
getent ahosts "$(cat /proc/sys/kernel/hostname)" | awk '{ print $1 }' | sort -u >/usr/local/share/own-addresses
# Written into the file: it can be a mount.
own=$(cat /etc/hosts)
printf '%s\n' '# moved in spring' '127.0.0.41 wiki.example' "$own" '127.0.0.50 mail.example mail' \
  '127.0.0.41 print.example wiki print' '127.0.0.42 wiki.example wiki' '127.0.0.51 wikis.example' >/etc/hosts
sed -i 's/^hosts:.*/hosts:          dns files/' /etc/nsswitch.conf
