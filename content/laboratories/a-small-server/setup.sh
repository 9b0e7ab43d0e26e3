#!/bin/bash
# A site with two mistakes. The configuration as such is valid.
set -e
mkdir -p /srv/news/pictures
echo 'News of today' >/srv/news/index.html
echo 'a picture' >/srv/news/pictures/one.txt
cat >/etc/nginx/conf.d/news.conf <<'SITE'
server {
    listen 8090;
    root /srv/new;
    index index.html;
}
SITE
chmod 644 /srv/news/index.html /srv/news/pictures/one.txt
chmod 700 /srv/news
