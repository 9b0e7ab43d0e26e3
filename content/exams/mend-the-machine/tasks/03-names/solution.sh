#!/bin/bash
set -e
sed -e '/^127\.0\.0\.7 depot/d' -e 's/^127\.0\.0\.70 .*/127.0.0.70 depot.example depot/' -e 's/gate depot$/gate/' /etc/hosts > /tmp/hosts
sudo cp /tmp/hosts /etc/hosts
sudo sed -i 's/^hosts:.*/hosts:          files dns/' /etc/nsswitch.conf
rm /tmp/hosts
