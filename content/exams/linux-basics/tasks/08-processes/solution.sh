#!/bin/bash
set -e
mkdir -p ~/processes
nohup nice -n 12 sleep 7001 </dev/null >/dev/null 2>&1 &
echo $! > ~/processes/low.pid
nohup sleep 7002 </dev/null >/dev/null 2>&1 &
echo $! > ~/processes/paused.pid
# Let nohup and nice become sleep before it is stopped.
until [ "$(cat "/proc/$!/comm")" = sleep ]; do sleep 0.1; done
kill -STOP $!
