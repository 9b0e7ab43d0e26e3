#!/bin/bash
set -e
mkdir -p ~/bin
cat > ~/bin/prune <<'SCRIPT'
#!/bin/bash
# prune FOLDER NUMBER: deletes all exports but the newest.
set -euo pipefail
shopt -s nullglob
die() {
  printf 'prune: %s\n' "$2" >&2
  exit "$1"
}
[[ $# -eq 2 ]] || die 2 'two arguments are needed: FOLDER NUMBER'
[[ -d $1 ]] || die 2 "$1 is not a folder"
[[ $2 =~ ^[1-9][0-9]*$ ]] || die 2 "$2 is not a whole number above 0"
exec 9> "$1/.lock"
flock -n 9 || die 75 'another process is at work'
files=()
for file in "$1"/meter-[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9].csv; do
  if [[ -f $file ]]; then files+=("$file"); fi
done
for ((i = 0; i < ${#files[@]} - $2; i++)); do rm -- "${files[i]}"; done
SCRIPT
chmod +x ~/bin/prune
