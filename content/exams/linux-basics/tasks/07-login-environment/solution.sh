#!/bin/bash
set -e
mkdir -p ~/tools/bin
cat >> ~/.profile <<PROFILE

umask 027
export PATH="\$HOME/tools/bin:\$PATH"
export EDITOR=$PARAM_EDITOR
export BACKUP_DIR="\$HOME/backup"
PROFILE
