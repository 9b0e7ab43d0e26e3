#!/bin/bash
set -e
cat >> ~/.ssh/config <<'CONFIG'
Host depot
    HostName 127.0.0.1
    Port 2222
    User deploy
    IdentityFile ~/.ssh/depot
    IdentitiesOnly yes
CONFIG
chmod 600 ~/.ssh/config
