#!/bin/bash
# Compares the files that had to stay with their sums, which only root can read.

base=/srv/meter
sums=/root/meter.sums
if ! is_folder "$base"; then
  problem "$base is not a folder"
  verdict
fi
must [ -s "$sums" ]
used=$(must du -sk "$base" | cut -f 1)
[ "$used" -lt 4096 ] || problem "$base still has $used KiB"
missing=0 checked=0
while read -r sum name; do
  checked=$((checked + 1))
  file=$base/${name#./}
  { is_file "$file" && [ "$(sha256sum <"$file" | cut -d ' ' -f 1)" = "$sum" ]; } || missing=$((missing + 1))
done <"$sums"
must [ "$checked" -gt 5 ]
[ "$missing" -eq 0 ] || problem "$missing files that had to stay are gone or changed"
for folder in data data/.old bin web web/cache web/cache/empty web/.thumbs/cache; do
  is_folder "$base/$folder" || problem "the folder $folder is gone"
done
verdict
