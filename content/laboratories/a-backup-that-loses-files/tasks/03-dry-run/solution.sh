#!/bin/bash
set -e
cat > ~/bin/backup <<'SCRIPT'
#!/bin/bash
# backup [-n] [-s SUFFIX] SOURCE TARGET: copies the files of a folder.
set -euo pipefail
shopt -s dotglob nullglob

usage() {
  echo "usage: ${0##*/} [-n] [-s SUFFIX] SOURCE TARGET" >&2
  exit 2
}

main() {
  local is_dry=false suffix='' failed=0 option file name
  while getopts 'ns:' option; do
    case $option in
      n) is_dry=true ;;
      s) suffix=$OPTARG ;;
      *) usage ;;
    esac
  done
  shift $((OPTIND - 1))
  [[ $# -eq 2 ]] || usage
  if [[ ! -d $1 ]]; then
    printf '%s: %q is not a folder\n' "${0##*/}" "$1" >&2
    exit 1
  fi
  $is_dry || mkdir -p -- "$2"
  for file in "$1"/*; do
    name=${file##*/}
    [[ -f $file && $name == *"$suffix" ]] || continue
    if $is_dry; then
      printf '%s\n' "$name"
    else
      cp -- "$file" "$2/" || failed=1
    fi
  done
  exit "$failed"
}
main "$@"
SCRIPT
