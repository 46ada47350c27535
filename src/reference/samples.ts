import type { Operation } from './operations.ts';

/** One entry of `x-codeSamples`, an extension that renderers of OpenAPI documents know. */
export interface CodeSample {
  lang: string;
  label: string;
  source: string;
}

export interface SampleSettings {
  /** The base address, ending in `/api`. */
  baseUrl: string;
  apiKey: string;
}

/**
 * A sample call of the operation in each language. Samples are whole programs that need no packages and exit with a
 * code other than 0 where the call fails.
 */
export function samplesOf(operation: Operation, settings: SampleSettings): CodeSample[] {
  const call = callOf(operation, settings);
  return [
    { lang: 'shell', label: 'curl', source: curl(call) },
    { lang: 'typescript', label: 'TypeScript', source: typescript(call) },
    { lang: 'python', label: 'Python', source: python(call) },
    { lang: 'php', label: 'PHP', source: php(call) },
  ];
}

interface Call {
  method: Operation['method'];
  url: string;
  apiKey: string;
  /** Whether it takes an idempotency key; each run of the sample makes a new one. */
  keyed: boolean;
  /** The prefix of the idempotency key, to make it readable. */
  purpose: string;
  body: unknown;
}

/** The `limit` in samples of lists. */
const PAGE = 10;

function callOf(operation: Operation, { baseUrl, apiKey }: SampleSettings): Call {
  const path = operation.pathParameters.reduce(
    (text, { name, value }) => text.replace(`{${name}}`, encodeURIComponent(value)),
    operation.path,
  );
  const query = operation.query.some(({ name }) => name === 'limit') ? `?limit=${PAGE}` : '';
  // An optional body is left out where the document has no example of it.
  const body = isEmpty(operation.body) ? undefined : operation.body;
  const { method, takesIdempotencyKey: keyed } = operation;
  return { method, url: `${baseUrl}${path}${query}`, apiKey, keyed, purpose: purposeOf(operation.path), body };
}

const isEmpty = (body: unknown): boolean => typeof body === 'object' && body !== null && Object.keys(body).length === 0;

/** The last word of the path that is no parameter: `upgrade`, `services`. */
const purposeOf = (path: string): string => path.replace(/\/\{\w+\}/g, '').replace(/.*\//, '');

function curl({ method, url, apiKey, keyed, purpose, body }: Call): string {
  const lines = [`curl -sS --fail-with-body${method === 'POST' && body === undefined ? ' -X POST' : ''}`, quoted(url)];
  lines.push(`-H ${quoted(`Authorization: Bearer ${apiKey}`)}`);
  if (keyed) lines.push(`-H "X-Idempotency-Key: ${purpose}-$(date +%s)"`);
  if (body !== undefined) {
    lines.push(`-H 'Content-Type: application/json'`, `-d ${quoted(literal(body, JSON_STYLE))}`);
  }
  return lines.join(' \\\n  ');
}

/** Quotes a text for a shell: between single quotes only the single quote itself is special. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

function typescript({ method, url, apiKey, keyed, body }: Call): string {
  const headers = [`Authorization: ${single(`Bearer ${apiKey}`)},`];
  if (keyed) headers.push(`'X-Idempotency-Key': crypto.randomUUID(),`);
  if (body !== undefined) headers.push(`'Content-Type': 'application/json',`);
  const options = [
    ...(method === 'POST' ? [`method: 'POST',`] : []),
    'headers: {',
    ...headers.map(indented),
    '},',
    ...(body === undefined
      ? []
      : [`body: JSON.stringify(${literal(body, TYPESCRIPT_STYLE)}),`.replaceAll('\n', '\n  ')]),
  ];
  return [
    `const response = await fetch(${single(url)}, {`,
    ...options.map(indented),
    '});',
    'const answer = (await response.json()) as { success: boolean; data?: unknown; error?: { code: string } };',
    'if (!answer.success) throw new Error(JSON.stringify(answer.error));',
    'console.log(answer.data);',
  ].join('\n');
}

function python({ method, url, apiKey, keyed, body }: Call): string {
  const headers = [`'Authorization': ${single(`Bearer ${apiKey}`)},`];
  if (keyed) headers.push(`'X-Idempotency-Key': str(uuid.uuid4()),`);
  if (body !== undefined) headers.push(`'Content-Type': 'application/json',`);
  return [
    'import json',
    'import sys',
    'import urllib.error',
    'import urllib.request',
    ...(keyed ? ['import uuid'] : []),
    '',
    'request = urllib.request.Request(',
    ...[
      `${single(url)},`,
      `method='${method}',`,
      'headers={',
      ...headers.map((line) => `    ${line}`),
      '},',
      ...(body === undefined ? [] : [`data=json.dumps(${literal(body, PYTHON_STYLE)}).encode(),`]),
    ].map((line) => indented(indented(line.replaceAll('\n', '\n    ')))),
    ')',
    'try:',
    '    with urllib.request.urlopen(request, timeout=30) as response:',
    `        print(json.load(response)['data'])`,
    'except urllib.error.HTTPError as failure:',
    `    sys.exit(f"{failure.code} {json.load(failure)['error']}")`,
  ].join('\n');
}

function php({ method, url, apiKey, keyed, body }: Call): string {
  const headers = [`${single(`Authorization: Bearer ${apiKey}`)},`];
  if (keyed) headers.push(`'X-Idempotency-Key: ' . bin2hex(random_bytes(16)),`);
  if (body !== undefined) headers.push(`'Content-Type: application/json',`);
  const options = [
    'CURLOPT_RETURNTRANSFER => true,',
    ...(method === 'POST' ? [`CURLOPT_CUSTOMREQUEST => 'POST',`] : []),
    'CURLOPT_HTTPHEADER => [',
    ...headers.map((line) => `    ${line}`),
    '],',
    ...(body === undefined ? [] : [`CURLOPT_POSTFIELDS => json_encode(${literal(body, PHP_STYLE)}),`]),
  ];
  return [
    '<?php',
    `$curl = curl_init(${single(url)});`,
    'curl_setopt_array($curl, [',
    ...options.map((line) => `    ${line.replaceAll('\n', '\n    ')}`),
    ']);',
    '$answer = json_decode((string) curl_exec($curl), true);',
    `if (!($answer['success'] ?? false)) {`,
    `    fwrite(STDERR, json_encode($answer['error'] ?? curl_error($curl)) . PHP_EOL);`,
    '    exit(1);',
    '}',
    `print_r($answer['data']);`,
  ].join('\n');
}

const indented = (line: string): string => `  ${line}`;

/** A single-quoted string of TypeScript, Python or PHP: only backslash and single quote need escaping. */
const single = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

/** The syntax of values in a language. */
interface Style {
  indent: string;
  text(value: string): string;
  field(name: string): string;
  object: [open: string, close: string];
  /** After the last of several lines. */
  lastComma: string;
  words: Record<'true' | 'false' | 'null', string>;
}

const WORDS = { true: 'true', false: 'false', null: 'null' };

const JSON_STYLE: Style = {
  indent: '  ',
  text: (value) => JSON.stringify(value),
  field: (name) => `${JSON.stringify(name)}: `,
  object: ['{', '}'],
  lastComma: '',
  words: WORDS,
};
const TYPESCRIPT_STYLE: Style = { ...JSON_STYLE, text: single, field: (name) => `${name}: `, lastComma: ',' };
const PYTHON_STYLE: Style = {
  indent: '    ',
  text: single,
  field: (name) => `${single(name)}: `,
  object: ['{', '}'],
  lastComma: ',',
  words: { true: 'True', false: 'False', null: 'None' },
};
const PHP_STYLE: Style = {
  ...PYTHON_STYLE,
  field: (name) => `${single(name)} => `,
  object: ['[', ']'],
  words: WORDS,
};

/** Objects that need more characters are written with one field per line. */
const ONE_LINE = 60;

/** A JSON value as a literal of the language. */
function literal(value: unknown, style: Style): string {
  if (typeof value === 'string') return style.text(value);
  if (typeof value !== 'object' || value === null) {
    return style.words[String(value) as keyof Style['words']] ?? String(value);
  }
  const fields = Object.entries(value).map(([name, inner]) => `${style.field(name)}${literal(inner, style)}`);
  const [open, close] = style.object;
  const pad = open === '{' && style !== PYTHON_STYLE ? ' ' : '';
  const line = `${open}${pad}${fields.join(', ')}${pad}${close}`;
  if (line.length <= ONE_LINE && !line.includes('\n')) return line;
  const lines = fields.map((field) => `${style.indent}${field.replaceAll('\n', `\n${style.indent}`)}`);
  return `${open}\n${lines.join(',\n')}${style.lastComma}\n${close}`;
}
