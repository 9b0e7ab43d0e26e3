#!/bin/bash
set -e
sudo find /srv/meter -type f -regex '.*/core\.[0-9]+' -delete
sudo find /srv/meter -type f -path '*/cache/*' -delete
