#!/bin/bash
set -e
mkdir -p ~/vault
echo secret > ~/vault/key.txt
printf '#!/bin/sh\necho open\n' > ~/vault/open.sh
chmod 750 ~/vault ~/vault/open.sh
chmod 600 ~/vault/key.txt
