#!/bin/bash
set -e
nohup nice -n 10 sleep 8001 </dev/null >/dev/null 2>&1 &
echo $! > ~/sleeper.pid
until [ "$(cat "/proc/$!/comm")" = sleep ]; do sleep 0.1; done
