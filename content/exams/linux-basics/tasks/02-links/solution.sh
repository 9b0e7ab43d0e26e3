#!/bin/bash
set -e
mkdir -p ~/app/releases/{1.0,2.0}
cd ~/app
echo 'app 1.0' > releases/1.0/app.txt
echo 'app 2.0' > releases/2.0/app.txt
ln -sfn releases/2.0 current
ln -sfn releases/1.0 previous
ln -sfn /etc/hostname system-name
ln -f releases/2.0/app.txt notes.txt
