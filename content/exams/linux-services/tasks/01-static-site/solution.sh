#!/bin/bash
set -e
sudo mkdir -p /srv/site/files /srv/site/private
echo '<h1>Open</h1>' | sudo tee /srv/site/index.html >/dev/null
echo '<h1>Nothing here</h1>' | sudo tee /srv/site/missing.html >/dev/null
sudo tee /etc/nginx/sites-available/site >/dev/null <<'SITE'
server {
    listen 8080;
    root /srv/site;
    access_log /var/log/nginx/site.log;
    error_page 404 /missing.html;

    location /files/ { autoindex on; }
    location /private/ { deny all; }
}
SITE
sudo ln -sf ../sites-available/site /etc/nginx/sites-enabled/site
sudo nginx -t
sudo systemctl restart nginx
