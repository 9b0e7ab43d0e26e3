#!/bin/bash
set -e
sudo systemctl restart meter
until [ -s /var/log/meter.log ]; do sleep 0.1; done
