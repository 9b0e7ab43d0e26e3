#!/bin/bash
set -e
mkdir -p ~/bin
cat > ~/bin/top-addresses <<'SCRIPT'
#!/bin/bash
# top-addresses FILE NUMBER: the addresses with the most requests.
set -euo pipefail
export LC_ALL=C
die() {
  printf 'top-addresses: %s\n' "$*" >&2
  exit 2
}
[[ $# -eq 2 ]] || die 'two arguments are needed: FILE NUMBER'
[[ -f $1 && -r $1 ]] || die "$1 cannot be read"
[[ $2 =~ ^[1-9][0-9]*$ ]] || die "$2 is not a whole number above 0"
awk '
  NF == 6 && $2 ~ /^[0-9][0-9]:[0-9][0-9]:[0-9][0-9]$/ && $5 ~ /^[0-9][0-9][0-9]$/ && $6 ~ /^[0-9]+$/ { n[$3]++ }
  END { for (address in n) print n[address], address }
' "$1" | sort -k1,1nr -k2,2 | awk -v number="$2" 'NR <= number'
SCRIPT
chmod +x ~/bin/top-addresses
