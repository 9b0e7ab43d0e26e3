#!/bin/bash
set -e
mkdir "$HOME/$PARAM_TEAM"
echo "$PARAM_TEAM" >"$HOME/$PARAM_TEAM/owner.txt"
