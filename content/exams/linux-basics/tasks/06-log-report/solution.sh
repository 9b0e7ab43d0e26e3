#!/bin/bash
set -e
mkdir -p ~/bin
cat > ~/bin/logreport <<'SCRIPT'
#!/bin/bash
if [ $# -ne 1 ]; then
  echo "usage: logreport FILE" >&2
  exit 1
fi
if [ ! -f "$1" ] || [ ! -r "$1" ]; then
  echo "logreport: cannot read $1" >&2
  exit 1
fi
awk '
  !seen[$1]++ { clients++ }
  $9 >= 400 && $9 <= 599 { errors++ }
  $10 != "-" { bytes += $10 }
  END { printf "requests: %d\nclients: %d\nerrors: %d\nbytes: %d\n", NR, clients, errors, bytes }
' "$1"
echo 'top paths:'
awk '{ sub(/\?.*/, "", $7); print $7 }' "$1" | sort | uniq -c | sort -rn | head -n 3 | awk '{ print $1, $2 }'
SCRIPT
chmod 755 ~/bin/logreport
