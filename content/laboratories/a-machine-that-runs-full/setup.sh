#!/bin/bash
# Fills folders, and leaves a service with a deleted log open.
set -e
fill() { # fill FILE KIB
  mkdir -p "${1%/*}"
  head -c "$(($2 * 1024))" /dev/urandom >"$1"
}
base=/srv/meter
fill "$base/data/2026-03.csv" 700
fill "$base/data/2026-04.csv" 900
fill "$base/data/core.txt" 40
fill "$base/data/cache.csv" 60
fill "$base/bin/meter-core.4" 30
fill "$base/data/core.2026-04" 50
fill "$base/core.18311" 6000
fill "$base/data/.old/core.402" 9000
fill "$base/web/cache/a b.tmp" 3000
fill "$base/web/.thumbs/cache/page.tmp" 7000
fill "$base/web/index.html" 12
mkdir -p "$base/web/cache/empty"
(cd "$base" && find . -type f ! -regex '.*/core\.[0-9]+' ! -path '*/cache/*' -exec sha256sum {} + | sort -k 2) >/root/meter.sums

cat >/usr/local/bin/meter <<'PROGRAM'
#!/bin/bash
exec >>/var/log/meter.log 2>&1
while :; do
  echo "$(date +%s) $RANDOM"
  sleep 2
done
PROGRAM
chmod 755 /usr/local/bin/meter
cat >/etc/systemd/system/meter.service <<'UNIT'
[Unit]
Description=Meter readings

[Service]
ExecStart=/usr/local/bin/meter
Restart=on-failure

[Install]
WantedBy=multi-user.target
UNIT
head -c 8000000 /dev/zero | tr '\0' '.' >/var/log/meter.log
systemctl enable --now meter >/dev/null 2>&1
until [ "$(stat -c %s /var/log/meter.log)" -gt 8000000 ]; do sleep 0.05; done
rm /var/log/meter.log
