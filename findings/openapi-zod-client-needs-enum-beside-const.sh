#!/usr/bin/env bash
# openapi-zod-client 1.18.3: `const`, the keyword of JSON Schema 2020-12 for a constant, is unknown to it. A union whose
# branches are told apart by constants gives a client that is generated and compiles without a word, and that cannot be
# loaded: zod finds no discriminator in it. With `enum` of one value beside `const` the same document gives a client that
# loads.
#
# Expected: a generator that does not know a keyword says so, or takes the field for any string.
# Seen: an error when the generated file is imported, "A discriminator value ... could not be extracted".
set -euo pipefail
cd "$(mktemp -d)"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --legacy-peer-deps openapi-zod-client@1.18.3 @zodios/core@10.9.6 zod@3.25.76 axios@1.18.1 tsx@4.23.15 >/dev/null
api() {
  cat <<JSON
{"openapi": "3.1.0", "info": {"title": "x", "version": "1"}, "paths": {"/one": {"get": {"operationId": "one", "responses": {
  "200": {"description": "x", "content": {"application/json": {"schema": {"\$ref": "#/components/schemas/Either"}}}}}}}},
 "components": {"schemas": {
  "Up": {"type": "object", "required": ["type"], "properties": {"type": {"type": "string", "const": "up"$1}}},
  "Down": {"type": "object", "required": ["type"], "properties": {"type": {"type": "string", "const": "down"$2}}},
  "Either": {"oneOf": [{"\$ref": "#/components/schemas/Up"}, {"\$ref": "#/components/schemas/Down"}],
   "discriminator": {"propertyName": "type", "mapping": {
    "up": "#/components/schemas/Up", "down": "#/components/schemas/Down"}}}}}}
JSON
}
api '' '' >const.json
api ', "enum": ["up"]' ', "enum": ["down"]' >both.json
for name in const both; do
  npx openapi-zod-client $name.json -o $name.ts >/dev/null 2>&1
  if npx tsx -e "import('./$name.ts').then(() => console.log('$name: loads'))" >$name.out 2>&1; then cat $name.out; else
    echo "$name: $(grep -oE 'A discriminator value[^,]*' $name.out | head -n 1)"
  fi
done | tee seen
grep -q '^const: A discriminator value' seen
grep -q '^both: loads' seen
echo 'as stated'
