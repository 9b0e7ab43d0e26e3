#!/bin/bash
set -e
printf 'GET /list.txt HTTP/1.1\r\nHost: stock.example\r\nX-Branch: north\r\nConnection: close\r\n\r\n' > ~/request.txt
