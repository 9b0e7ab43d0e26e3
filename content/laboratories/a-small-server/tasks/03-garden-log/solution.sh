#!/bin/bash
set -e
echo 'local1.*  /var/log/garden.log' | sudo tee /etc/rsyslog.d/30-garden.conf >/dev/null
sudo systemctl restart rsyslog
