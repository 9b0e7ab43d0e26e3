#!/bin/bash
set -eo pipefail
log=/srv/shop/access.log
good='NF == 6 && $2 ~ /^[0-9][0-9]:[0-9][0-9]:[0-9][0-9]$/ && $5 ~ /^[0-9][0-9][0-9]$/ && $6 ~ /^[0-9]+$/'
{
  awk "!($good)" "$log" | wc -l
  awk "$good && \$5 >= 500" "$log" | wc -l
  awk "$good { sum += \$6 } END { printf \"%.0f\\n\", sum }" "$log"
  awk "$good { print \$3 }" "$log" | sort | uniq -c | sort -nr | awk 'NR == 1 { print $2 }'
} > ~/answers.txt
