#!/bin/bash
set -e
sudo tee /etc/nginx/sites-available/school >/dev/null <<'SITES'
server {
    listen 80 default_server;
    server_name _;
    return 404;
}
server {
    listen 80;
    server_name old.school.test;
    return 301 http://new.school.test$request_uri;
}
server {
    listen 80;
    server_name new.school.test;
    location / {
        proxy_pass http://127.0.0.1:9000;
        proxy_set_header Host $host;
        proxy_set_header X-Real-IP $remote_addr;
    }
}
SITES
sudo rm -f /etc/nginx/sites-enabled/default
sudo ln -sf ../sites-available/school /etc/nginx/sites-enabled/school
sudo nginx -t
sudo systemctl restart nginx
