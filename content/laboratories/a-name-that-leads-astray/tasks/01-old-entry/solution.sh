#!/bin/bash
set -e
sed -i -e '/^127\.0\.0\.41 wiki\.example$/d' -e 's/^127\.0\.0\.41 print\.example wiki print$/127.0.0.41 print.example print/' /etc/hosts
