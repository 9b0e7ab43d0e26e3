#!/bin/bash
set -e
# The files that rsyslog makes have the mode of the system's other logs, 0640.
sudo tee /etc/rsyslog.d/05-orders.conf >/dev/null <<'RULES'
local3.*    /var/log/orders.log
& stop
RULES
sudo tee /etc/logrotate.d/orders >/dev/null <<'ROTATION'
/var/log/orders.log {
    daily
    rotate 5
    compress
    notifempty
    missingok
    create 0640
    postrotate
        pkill -HUP -x rsyslogd
    endscript
}
ROTATION
sudo systemctl restart rsyslog
