#!/bin/bash
set -e
sudo sed -i '/^local4/d' /etc/rsyslog.d/05-noise.conf
printf '%s\n' 'local4.*  /var/log/billing.log' '& stop' | sudo tee /etc/rsyslog.d/40-billing.conf > /dev/null
sudo rsyslogd -N1 2> /dev/null
sudo systemctl restart rsyslog
