#!/bin/bash
set -e
mkdir -p ~/bin
cat > ~/bin/record <<'SCRIPT'
#!/bin/bash
if [ $# -lt 2 ]; then
  echo "usage: record NAME COMMAND [ARGUMENT...]" >&2
  exit 64
fi
records=/home/student/records
name=$1
shift
mkdir -p "$records"
"$@" >"$records/$name.out" 2>"$records/$name.err"
status=$?
echo "$name $status" >>"$records/history"
exit "$status"
SCRIPT
chmod 755 ~/bin/record
