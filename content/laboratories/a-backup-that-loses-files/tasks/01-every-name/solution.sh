#!/bin/bash
set -e
cat > ~/bin/backup <<'SCRIPT'
#!/bin/bash
source=$1 target=$2
shopt -s dotglob nullglob
mkdir -p -- "$target"
for file in "$source"/*; do
  if [[ -f $file ]]; then cp -- "$file" "$target/"; fi
done
SCRIPT
