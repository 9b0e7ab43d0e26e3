#!/bin/bash
set -e
printf '%s\n' 'nameserver 10.20.0.53' 'nameserver 10.20.1.53' 'search branch.example' 'options timeout:1 attempts:2' |
  tee /etc/resolv.conf > /dev/null
