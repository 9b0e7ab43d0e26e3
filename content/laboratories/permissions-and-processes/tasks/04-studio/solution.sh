#!/bin/bash
set -e
chgrp -R studio /srv/studio
chmod -R u+rwX,g+rwX,o= /srv/studio
chmod g+s /srv/studio /srv/studio/drafts
