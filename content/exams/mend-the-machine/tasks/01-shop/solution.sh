#!/bin/bash
set -e
sudo sed -i 's#root /srv/shop$#root /srv/shop;#' /etc/nginx/conf.d/shop.conf
sudo mkdir -p /var/log/shop
sudo chmod 644 /srv/shop/index.html
sudo chmod 755 /srv/shop/items
sudo nginx -t
sudo systemctl restart nginx
