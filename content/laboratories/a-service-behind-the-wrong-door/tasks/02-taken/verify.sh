#!/bin/bash
# Looks for both processes, and connects.

/usr/bin/pgrep -x demo-server >/dev/null && problem 'the program that holds the port is still running'
[ "$(system systemctl is-active stock)" = active ] || problem 'the service stock is not running'
[ "$(sha256sum </etc/systemd/system/stock.service 2>/dev/null)" = "$(printf '%s\n' '[Unit]' 'Description=Stock of the warehouse' '' '[Service]' \
  'ExecStart=/usr/local/sbin/stock' '' '[Install]' 'WantedBy=multi-user.target' | sha256sum)" ] || problem 'the unit of stock has changed'
said=''
for _ in 1 2 3 4 5 6; do
  said=$(/usr/bin/timeout 3 /.grader/bin/busybox nc -w 2 127.0.0.1 7100 </dev/null 2>/dev/null | head -c 200 | tr -d '\000')
  [ "$said" = 'stock: ready' ] && break
  /usr/bin/sleep 0.5
done
[ "$said" = 'stock: ready' ] || problem 'a connection to port 7100 does not get the line of stock'
/usr/bin/pgrep -x nginx >/dev/null || problem 'nginx is not running any more'
/usr/bin/pgrep -x cron >/dev/null || problem 'cron is not running any more'
verdict
