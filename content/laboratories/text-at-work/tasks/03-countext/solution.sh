#!/bin/bash
set -e
mkdir -p ~/bin
cat > ~/bin/countext <<'SCRIPT'
#!/bin/bash
if [ $# -ne 2 ]; then
  echo 'usage: countext DIR EXT' >&2
  exit 2
fi
find "$1" -maxdepth 1 -type f -name "*.$2" ! -name '.*' | wc -l
SCRIPT
chmod +x ~/bin/countext
