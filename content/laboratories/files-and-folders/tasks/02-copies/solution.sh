#!/bin/bash
set -e
mkdir -p ~/copies
for file in /etc/*.conf; do
  if [ -f "$file" ] && [ ! -L "$file" ]; then cp "$file" ~/copies; fi
done
mv ~/copies/debconf.conf ~/copies/renamed.conf
