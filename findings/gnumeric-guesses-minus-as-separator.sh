#!/usr/bin/env bash
# Gnumeric 1.12.55 (Debian 12): the field separator of a CSV file is guessed, and a minus sign is among the guesses. A file in
# which a quoted cell with a comma is followed by an unquoted negative number is cut at the minus signs: the header becomes one
# cell, and -12.50 becomes 12.5. The number loses its sign without a word.
#
# Expected: a comma separates, as in every line of the file, the header included.
# Seen: `"A, B",-12.50` is read as two cells with 12.5 in the second; with the number in quotes, or without the comma in the
# name, it is read as written.
set -euo pipefail
cd "$(mktemp -d)"
if ! command -v ssconvert >/dev/null; then
  apt-get update -qq
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends gnumeric=1.12.55\* >/dev/null
fi
ssconvert --version | head -n 1
printf 'name,amount\n"A, B",-12.50\n' >plain.csv
printf 'name,amount\n"A, B","-12.50"\n' >quoted.csv
printf 'name,amount\nAB,-12.50\n' >simple.csv
for name in plain quoted simple; do
  ssconvert $name.csv $name.out.csv 2>/dev/null
  echo "$name: $(tr '\n' ' ' <$name.out.csv)"
done | tee seen
grep -qF 'plain: "name,amount", "A, B",12.5 ' seen
grep -qF 'quoted: name,amount "A, B",-12.5 ' seen
grep -qF 'simple: name,amount AB,-12.5 ' seen
echo 'as stated'
