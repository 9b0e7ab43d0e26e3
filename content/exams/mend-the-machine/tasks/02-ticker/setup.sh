#!/bin/bash
# A wrong path in the unit, a program without its permission, settings and a folder that do not fit.
set -e
useradd --system --no-create-home --shell /usr/sbin/nologin ticker
cat >/usr/local/bin/ticker <<'PROGRAM'
#!/bin/bash
: "${TICK_FILE:?is not set}"
while :; do
  echo "$(date +%s) $(id -un)" >>"$TICK_FILE" || exit 1
  sleep 1
done
PROGRAM
chmod 644 /usr/local/bin/ticker
sha256sum </usr/local/bin/ticker >/root/ticker.sum
cat >/etc/systemd/system/ticker.service <<'UNIT'
[Unit]
Description=Ticker

[Service]
User=ticker
EnvironmentFile=/etc/default/ticker
ExecStart=/usr/local/sbin/ticker

[Install]
WantedBy=multi-user.target
UNIT
echo 'TICK_FILE=/var/lib/tick/ticks' >/etc/default/ticker
mkdir -p /var/lib/ticker
echo '1760000000 ticker' >/var/lib/ticker/ticks
chown root:root /var/lib/ticker /var/lib/ticker/ticks
chmod 644 /var/lib/ticker/ticks
chmod 755 /var/lib/ticker
