#!/bin/bash
set -e
mkdir -p ~/export
echo '17 3 * * * /home/student/bin/prune /home/student/export 14 >> /home/student/prune.log 2>&1' | crontab -
sudo systemctl start cron
