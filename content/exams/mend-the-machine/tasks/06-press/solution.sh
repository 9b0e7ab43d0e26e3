#!/bin/bash
set -e
sudo usermod --append --groups press --shell /bin/bash nina
sudo chgrp -R press /srv/press
sudo chmod 2770 /srv/press /srv/press/drafts
sudo chmod 660 /srv/press/contacts.txt
sudo find /srv/press/drafts -type f -exec chmod 660 {} +
sudo chown -R root:press /srv/press/published
sudo chmod 2750 /srv/press/published
sudo find /srv/press/published -type f -exec chmod 640 {} +
