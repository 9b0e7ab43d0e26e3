#!/bin/bash
set -e
sudo chmod 755 /usr/local/bin/ticker
sudo sed -i 's#^ExecStart=.*#ExecStart=/usr/local/bin/ticker#' /etc/systemd/system/ticker.service
echo 'TICK_FILE=/var/lib/ticker/ticks' | sudo tee /etc/default/ticker > /dev/null
sudo chown -R ticker: /var/lib/ticker
sudo systemctl daemon-reload
sudo systemctl enable ticker
sudo systemctl restart ticker
