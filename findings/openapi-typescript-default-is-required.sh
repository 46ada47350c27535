#!/usr/bin/env bash
# openapi-typescript 7.13.0: whether a field with a `default` is optional in the type of a request body depends on where the
# schema stands. Written out in the body it is optional; the same schema as a component that the body refers to makes it
# required, so that a caller who leaves it to the server does not compile.
#
# Expected: `$ref` is a way of writing, and both give the same type; `default` says what the receiver assumes where the field
# is absent. Seen: `when?:` in the body, `when:` in the component; `--default-non-nullable=false` gives `when?:` for both.
set -euo pipefail
cd "$(mktemp -d)"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund openapi-typescript@7.13.0 typescript@5.9.3 >/dev/null
schema='{"type": "object", "properties": {"when": {"type": "string", "enum": ["now", "later"], "default": "now"}}}'
api() {
  cat <<JSON
{"openapi": "3.1.0", "info": {"title": "x", "version": "1"}, "paths": {"/cancel": {"post": {
  "requestBody": {"content": {"application/json": {"schema": $1}}},
  "responses": {"200": {"description": "done"}}}}},
  "components": {"schemas": {"Cancellation": $schema}}}
JSON
}
# Without the component the written-out schema stands alone.
api "$schema" | sed 's/"Cancellation": .*}}}$/"Other": {"type": "string"}}}}/' >written.json
api '{"$ref": "#/components/schemas/Cancellation"}' >referred.json
npx openapi-typescript written.json --output written.d.ts >/dev/null 2>&1
npx openapi-typescript referred.json --output referred.d.ts >/dev/null 2>&1
npx openapi-typescript referred.json --default-non-nullable=false --output optional.d.ts >/dev/null 2>&1
grep -E '^ *when' written.d.ts referred.d.ts optional.d.ts | tr -s ' '
grep -qF 'when?: "now"' written.d.ts
grep -qF 'when: "now"' referred.d.ts
grep -qF 'when?: "now"' optional.d.ts
echo 'as stated'
