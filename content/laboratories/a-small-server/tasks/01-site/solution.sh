#!/bin/bash
set -e
sudo mkdir -p /srv/garden
echo 'Welcome to the garden' | sudo tee /srv/garden/index.html >/dev/null
printf 'server {\n    listen 8088;\n    root /srv/garden;\n}\n' | sudo tee /etc/nginx/conf.d/garden.conf >/dev/null
sudo nginx -t
sudo systemctl restart nginx
