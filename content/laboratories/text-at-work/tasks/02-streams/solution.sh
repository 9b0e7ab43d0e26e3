#!/bin/bash
set -e
mkdir -p ~/streams
cd ~/streams
ls -d /etc /usr /missing > found.txt 2> errors.txt || true
echo checked >> found.txt
