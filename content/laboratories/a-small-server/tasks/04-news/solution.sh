#!/bin/bash
set -e
sudo sed -i 's#root /srv/new;#root /srv/news;#' /etc/nginx/conf.d/news.conf
sudo chmod 755 /srv/news
sudo nginx -t
sudo systemctl restart nginx
