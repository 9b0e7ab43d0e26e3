#!/bin/bash
# A missing semicolon, a missing folder for the log, and files that nginx may not read.
set -e
mkdir -p /srv/shop/items
echo '<h1>The shop</h1>' >/srv/shop/index.html
echo 'A teapot of blue china' >/srv/shop/items/teapot.txt
cat >/etc/nginx/conf.d/shop.conf <<'SITE'
server {
    listen 8080;
    server_name shop.example;
    root /srv/shop
    index index.html;
    access_log /var/log/shop/access.log;
}
SITE
chmod 600 /srv/shop/index.html
chmod 644 /srv/shop/items/teapot.txt
chmod 744 /srv/shop/items
