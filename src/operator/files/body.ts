import { OperatorError } from '../use-case/errors.ts';
import { endOfElement, skipBlanks } from './json.ts';

/** What the body of an import has (contract, section 13.2): the array of records as it was sent, and the option. */
export interface ImportBody {
  records: Buffer;
  dryRun: boolean;
}

const OPEN = '{'.charCodeAt(0);
const LIST = '['.charCodeAt(0);
const CLOSE = '}'.charCodeAt(0);
const COLON = ':'.charCodeAt(0);
const COMMA = ','.charCodeAt(0);
const QUOTE = '"'.charCodeAt(0);

/** Of a body that is no JSON object, no field is at fault. */
export const NO_FIELD = '';

/** What any other call says of such a body. */
export const NOT_AN_OBJECT = 'The body must be a JSON object';

const malformed = (message: string) => new OperatorError('invalid', message, [{ field: NO_FIELD, message }]);

/**
 * Takes the body of an import apart without parsing the records: all of them as objects would take many times its size.
 * Throws an `OperatorError` that names the faulty field.
 */
export function readImportBody(content: Uint8Array): ImportBody {
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
  const fields = new Map<string, Buffer>();
  let place = skipBlanks(bytes, 0);
  if (bytes[place] !== OPEN) throw malformed(NOT_AN_OBJECT);
  place = skipBlanks(bytes, place + 1);
  while (bytes[place] !== CLOSE) {
    const end = bytes[place] === QUOTE ? endOfElement(bytes, place, COLON) : bytes.length;
    if (end >= bytes.length) throw malformed('The body is not valid JSON');
    const name = parsed(bytes.subarray(place, end)) as string;
    const from = skipBlanks(bytes, end + 1);
    const to = endOfElement(bytes, from);
    if (to >= bytes.length) throw malformed('The body is not valid JSON');
    if (fields.has(name))
      throw new OperatorError('invalid', name, [{ field: name, message: 'is sent twice', rule: 'repeated' }]);
    fields.set(name, bytes.subarray(from, to));
    place = to;
    if (bytes[place] !== COMMA) continue;
    place = skipBlanks(bytes, place + 1);
    if (bytes[place] === CLOSE) throw malformed('The body is not valid JSON');
  }
  if (skipBlanks(bytes, place + 1) < bytes.length) throw malformed('The body is not valid JSON');
  const { records, dryRun } = known(fields);
  return { records, dryRun };
}

function known(fields: Map<string, Buffer>): ImportBody {
  for (const name of fields.keys()) {
    if (name === 'records' || name === 'dry_run') continue;
    throw new OperatorError('invalid', name, [
      { field: name.slice(0, 100), message: 'is not known here', rule: 'unknown' },
    ]);
  }
  const records = fields.get('records');
  if (!records)
    throw new OperatorError('invalid', 'records', [{ field: 'records', message: 'is required', rule: 'required' }]);
  if (records[0] !== LIST)
    throw new OperatorError('invalid', 'records', [{ field: 'records', message: 'must be an array', rule: 'type' }]);
  const option = fields.get('dry_run');
  const dryRun = option === undefined ? false : parsed(option);
  if (typeof dryRun !== 'boolean') {
    throw new OperatorError('invalid', 'dry_run', [{ field: 'dry_run', message: 'must be a boolean', rule: 'type' }]);
  }
  return { records, dryRun };
}

/** A name or an option: a few bytes. */
function parsed(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8', 0, 1_000));
  } catch {
    throw malformed('The body is not valid JSON');
  }
}
