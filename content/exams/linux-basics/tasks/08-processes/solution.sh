#!/bin/bash
set -e
mkdir -p ~/processes
nohup nice -n "$PARAM_NICE" sleep "$PARAM_LOW" </dev/null >/dev/null 2>&1 &
echo $! > ~/processes/low.pid
until [ "$(cat "/proc/$!/comm")" = sleep ]; do sleep 0.1; done
# In a session of its own: the kernel continues what is stopped in the session of a terminal when that ends, also under nohup.
setsid sleep "$PARAM_PAUSED" </dev/null >/dev/null 2>&1 &
echo $! > ~/processes/paused.pid
# Let setsid become sleep before it is stopped.
until [ "$(cat "/proc/$!/comm")" = sleep ]; do sleep 0.1; done
kill -STOP $!
until grep -q '^State:[[:space:]]*T' "/proc/$!/status"; do sleep 0.1; done
