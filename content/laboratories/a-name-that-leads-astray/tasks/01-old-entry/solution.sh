#!/bin/bash
set -e
sed -e '/^127\.0\.0\.41 wiki\.example$/d' -e 's/^127\.0\.0\.41 print\.example wiki print$/127.0.0.41 print.example print/' /etc/hosts > /tmp/hosts
sudo cp /tmp/hosts /etc/hosts
rm /tmp/hosts
