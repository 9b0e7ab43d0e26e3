#!/bin/bash
# An account that cannot work, and a folder without the permissions of its team.
set -e
groupadd press
groupadd archive
useradd --create-home --shell /bin/bash --groups press olga
useradd --create-home --shell /bin/bashh --groups archive nina
mkdir -p /srv/press/drafts /srv/press/published
echo 'Draft of Monday' >/srv/press/drafts/monday.txt
echo 'Names and numbers' >/srv/press/contacts.txt
echo 'Published in May' >/srv/press/published/may.txt
chown -R root:press /srv/press
chown olga:olga /srv/press/drafts/monday.txt
chown root:root /srv/press/drafts /srv/press/published/may.txt
chmod 755 /srv/press
chmod 750 /srv/press/drafts
chmod 640 /srv/press/contacts.txt
chmod 600 /srv/press/drafts/monday.txt /srv/press/published/may.txt
chmod 777 /srv/press/published
