#!/bin/bash
set -e
mkdir -p ~/garden/beds/{north,south} ~/garden/shed
touch ~/garden/beds/north/row{1..9}.txt
