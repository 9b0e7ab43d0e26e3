#!/bin/bash
set -e
sudo kill "$(sudo ss -ltnp 'sport = :7100' | grep -o 'pid=[0-9]*' | cut -d = -f 2)"
while pgrep -x demo-server > /dev/null; do sleep 0.1; done
sudo systemctl start stock
