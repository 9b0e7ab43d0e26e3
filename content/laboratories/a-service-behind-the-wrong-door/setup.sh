#!/bin/bash
# Sites on the wrong addresses, and a forgotten process on the port of a service.
set -e
mkdir -p /srv/catalogue /srv/console /srv/stock
echo 'The catalogue' >/srv/catalogue/index.html
echo 'The console' >/srv/console/index.html
{
  echo 'item, amount'
  for item in bolts nuts screws washers; do echo "$item, $((RANDOM % 900 + 100))"; done
} >/srv/stock/list.txt
rm -f /etc/nginx/sites-enabled/default
cat >/etc/nginx/conf.d/warehouse.conf <<'SITES'
server {
    listen 127.0.0.1:8100;
    root /srv/catalogue;
}
server {
    listen 8200;
    root /srv/console;
}
SITES
cat >/etc/nginx/conf.d/stock.conf <<'SITES'
server {
    listen 8300 default_server;
    return 404;
}
server {
    listen 8300;
    server_name stock.example;
    root /srv/stock;
    if ($http_x_branch != north) { return 403; }
}
SITES
systemctl enable --now nginx >/dev/null 2>&1

cat >/usr/local/sbin/stock <<'PROGRAM'
#!/bin/bash
# nc shares a port with another nc. So ask first whether somebody listens.
while :; do
  if (exec 3<>/dev/tcp/127.0.0.1/7100) 2>/dev/null; then
    echo 'stock: port 7100: Address already in use' >&2
    exit 1
  fi
  echo 'stock: ready' | nc -lN 127.0.0.1 7100 >/dev/null || exit 1
done
PROGRAM
# A copy of another name, as a forgotten program would have.
cp "$(readlink -f "$(command -v nc)")" /usr/local/sbin/demo-server
chmod 755 /usr/local/sbin/stock
cat >/etc/systemd/system/stock.service <<'UNIT'
[Unit]
Description=Stock of the warehouse

[Service]
ExecStart=/usr/local/sbin/stock

[Install]
WantedBy=multi-user.target
UNIT
setsid /usr/local/sbin/demo-server -lk 127.0.0.1 7100 </dev/null >/dev/null 2>&1 &
until ss -ltn | grep -q '127.0.0.1:7100 '; do sleep 0.05; done
systemctl enable stock >/dev/null 2>&1
systemctl start stock >/dev/null 2>&1 || true
while systemctl is-active stock >/dev/null 2>&1; do sleep 0.05; done
