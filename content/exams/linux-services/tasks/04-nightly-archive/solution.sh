#!/bin/bash
set -e
sudo mkdir -p /srv/inbox /srv/archive
sudo chown student:student /srv/inbox /srv/archive
crontab - <<'CRONTAB'
30 2 * * 1-5 tar -C /srv -czf /srv/archive/inbox-$(date +\%F).tar.gz inbox && find /srv/archive -maxdepth 1 -type f -name 'inbox-*.tar.gz' -mtime +14 -delete
CRONTAB
sudo systemctl start cron
