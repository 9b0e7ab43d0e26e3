#!/bin/bash
# Two wrong entries, and a machine that asks nobody who knows them.
set -e
# The addresses of the machine's own name, for the check.
getent ahosts "$(cat /proc/sys/kernel/hostname)" | awk '{ print $1 }' | sort -u >/root/own-addresses
# Written into the file: it can be a mount.
own=$(cat /etc/hosts)
printf '%s\n' '127.0.0.7 depot.example' "$own" '127.0.0.61 scales.example scales' '127.0.0.70 depot.example' \
  '127.0.0.62 gate.example gate depot' >/etc/hosts
sed -i 's/^hosts:.*/hosts:          dns/' /etc/nsswitch.conf
