#!/bin/bash
set -e
cat > ~/bin/backup <<'SCRIPT'
#!/bin/bash
set -euo pipefail
shopt -s dotglob nullglob
if [[ $# -ne 2 ]]; then
  echo "usage: ${0##*/} SOURCE TARGET" >&2
  exit 2
fi
source=$1 target=$2 failed=0
if [[ ! -d $source ]]; then
  printf '%s: %q is not a folder\n' "${0##*/}" "$source" >&2
  exit 1
fi
mkdir -p -- "$target"
for file in "$source"/*; do
  [[ -f $file ]] || continue
  cp -- "$file" "$target/" || failed=1
done
exit "$failed"
SCRIPT
