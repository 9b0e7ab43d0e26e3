#!/bin/bash
set -e
mkdir -p ~/bin
cat > ~/bin/hours <<'SCRIPT'
#!/bin/bash
# hours FILE: requests and errors of each hour.
set -euo pipefail
export LC_ALL=C
awk '
  NF == 6 && $2 ~ /^[0-9][0-9]:[0-9][0-9]:[0-9][0-9]$/ && $5 ~ /^[0-9][0-9][0-9]$/ && $6 ~ /^[0-9]+$/ {
    hour = substr($2, 1, 2)
    all[hour]++
    if ($5 >= 500) errors[hour]++
    next
  }
  { damaged++ }
  END {
    for (hour in all) printf "%s %d %d %.0f\n", hour, all[hour], errors[hour], 100 * errors[hour] / all[hour]
    if (damaged) print "damaged: " damaged > "/dev/stderr"
    exit damaged > 0
  }
' "$1" | sort
SCRIPT
chmod +x ~/bin/hours
