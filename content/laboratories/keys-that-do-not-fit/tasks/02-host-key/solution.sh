#!/bin/bash
set -e
new=$(ssh-keyscan -t ed25519 -p 2222 127.0.0.1 2> /dev/null)
[[ $(ssh-keygen -lf - <<< "$new" | cut -d ' ' -f 2) == "$(cat /usr/local/share/depot/fingerprint)" ]]
ssh-keygen -R '[127.0.0.1]:2222' > /dev/null 2>&1
printf '%s\n' "$new" >> ~/.ssh/known_hosts
