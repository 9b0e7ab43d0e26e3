#!/bin/bash
set -e
pkill -KILL -x harvest
while pgrep -x harvest > /dev/null; do sleep 0.1; done
