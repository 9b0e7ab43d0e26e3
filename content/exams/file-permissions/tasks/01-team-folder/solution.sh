#!/bin/bash
set -e
mkdir -p "$HOME/$PARAM_TEAM"
chmod 2770 "$HOME/$PARAM_TEAM"
echo "$PARAM_TEAM" >"$HOME/$PARAM_TEAM/owner.txt"
