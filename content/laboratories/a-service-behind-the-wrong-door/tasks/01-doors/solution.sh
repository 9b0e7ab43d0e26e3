#!/bin/bash
set -e
sudo sed -i -e 's/listen 127.0.0.1:8100;/listen 8100;/' -e 's/listen 8200;/listen 127.0.0.1:8200;/' /etc/nginx/conf.d/warehouse.conf
sudo nginx -t
sudo systemctl restart nginx
