#!/bin/bash
set -e
chmod u=rwx,g=rx,o=x ~
cd ~
mkdir -p project/{bin,docs,dropbox,private,shared}
echo 'Version 1.0' > 'project/docs/release notes.txt'
printf '#!/bin/sh\necho hello\n' > project/bin/hello
chmod 755 project project/bin project/docs project/bin/hello
chmod 444 'project/docs/release notes.txt'
chmod 1777 project/dropbox
chmod 700 project/private
chmod 2770 project/shared
