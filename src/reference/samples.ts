import type { DocumentedOperation } from './operations.ts';

export interface CodeSample {
  /** A word for the language, as Markdown names it. */
  lang: 'shell' | 'php' | 'python' | 'typescript';
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
export function samplesOf(operation: DocumentedOperation, { baseUrl, apiKey }: SampleSettings): CodeSample[] {
  const path = operation.pathParameters.reduce(
    (text, { name, value }) => text.replace(`{${name}}`, encodeURIComponent(value)),
    operation.path,
  );
  const query = operation.inputs.query.some(({ name }) => name === 'limit') ? '?limit=10' : '';
  // An optional body is left out where its example is empty.
  const body = JSON.stringify(operation.body ?? {}) === '{}' ? undefined : operation.body;
  const call: Call = { ...operation, body, url: `${baseUrl}${path}${query}`, authorization: `Bearer ${apiKey}` };
  return [
    { lang: 'shell', label: 'curl', source: curl(call) },
    { lang: 'php', label: 'PHP', source: php(call) },
    { lang: 'python', label: 'Python', source: python(call) },
    { lang: 'typescript', label: 'TypeScript', source: typescript(call) },
  ];
}

interface Call extends Pick<DocumentedOperation, 'method' | 'path' | 'takesIdempotencyKey' | 'body'> {
  url: string;
  authorization: string;
}

function curl({ method, path, url, authorization, takesIdempotencyKey, body }: Call): string {
  // Between single quotes only the single quote itself is special.
  const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
  const purpose = path.replace(/\/\{\w+\}/g, '').replace(/.*\//, '');
  return joined(
    ' \\\n  ',
    `curl -sS --fail-with-body${method === 'POST' && body === undefined ? ' -X POST' : ''}`,
    quoted(url),
    `-H ${quoted(`Authorization: ${authorization}`)}`,
    takesIdempotencyKey && `-H "X-Idempotency-Key: ${purpose}-$(date +%s)"`,
    body !== undefined && `-H 'Content-Type: application/json'`,
    body !== undefined && `-d ${quoted(literal(body, 2))}`,
  );
}

function php({ method, url, authorization, takesIdempotencyKey, body }: Call): string {
  const words: Record<string, string> = { '{': '[', '}': ']' };
  const value = (json: string) => words[json] ?? (json.startsWith('"') ? single(JSON.parse(json)) : json);
  const arrays = (token: string) => (token.endsWith(': ') ? `${value(token.slice(0, -2))} => ` : value(token));
  return lines(
    '<?php',
    `$curl = curl_init(${single(url)});`,
    'curl_setopt_array($curl, [',
    '    CURLOPT_RETURNTRANSFER => true,',
    method === 'POST' && `    CURLOPT_CUSTOMREQUEST => 'POST',`,
    '    CURLOPT_HTTPHEADER => [',
    `        ${single(`Authorization: ${authorization}`)},`,
    takesIdempotencyKey && `        'X-Idempotency-Key: ' . bin2hex(random_bytes(16)),`,
    body !== undefined && `        'Content-Type: application/json',`,
    '    ],',
    body !== undefined && `    CURLOPT_POSTFIELDS => json_encode(${indented(literal(body, 4, arrays), 4)}),`,
    ']);',
    '$answer = json_decode((string) curl_exec($curl), true);',
    `if (!($answer['success'] ?? false)) {`,
    `    fwrite(STDERR, json_encode($answer['error'] ?? curl_error($curl)) . PHP_EOL);`,
    '    exit(1);',
    '}',
    `print_r($answer['data']);`,
  );
}

function python({ method, url, authorization, takesIdempotencyKey, body }: Call): string {
  const words: Record<string, string> = { true: 'True', false: 'False', null: 'None' };
  return lines(
    'import json',
    'import sys',
    'import urllib.error',
    'import urllib.request',
    takesIdempotencyKey && 'import uuid',
    '',
    'request = urllib.request.Request(',
    `    ${single(url)},`,
    `    method='${method}',`,
    '    headers={',
    `        'Authorization': ${single(authorization)},`,
    takesIdempotencyKey && `        'X-Idempotency-Key': str(uuid.uuid4()),`,
    body !== undefined && `        'Content-Type': 'application/json',`,
    '    },',
    body !== undefined &&
      `    data=json.dumps(${indented(
        literal(body, 4, (token) => words[token] ?? token),
        4,
      )}).encode(),`,
    ')',
    'try:',
    '    with urllib.request.urlopen(request, timeout=30) as response:',
    `        print(json.load(response)['data'])`,
    'except urllib.error.HTTPError as failure:',
    `    sys.exit(f"{failure.code} {json.load(failure)['error']}")`,
  );
}

function typescript({ method, url, authorization, takesIdempotencyKey, body }: Call): string {
  return lines(
    `const response = await fetch(${single(url)}, {`,
    method === 'POST' && `  method: 'POST',`,
    '  headers: {',
    `    Authorization: ${single(authorization)},`,
    takesIdempotencyKey && `    'X-Idempotency-Key': crypto.randomUUID(),`,
    body !== undefined && `    'Content-Type': 'application/json',`,
    '  },',
    body !== undefined && `  body: JSON.stringify(${indented(literal(body, 2), 2)}),`,
    '});',
    'const answer = (await response.json()) as { success: boolean; data?: unknown; error?: { code: string } };',
    'if (!answer.success) throw new Error(JSON.stringify(answer.error));',
    'console.log(answer.data);',
  );
}

const joined = (by: string, ...parts: Array<string | false>): string => parts.filter((part) => part !== false).join(by);

const lines = (...all: Array<string | false>): string => joined('\n', ...all);

const indented = (text: string, spaces: number): string => text.replaceAll('\n', `\n${' '.repeat(spaces)}`);

/** A single-quoted string of TypeScript, Python or PHP: only backslash and single quote need escaping. */
const single = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

/** Longer objects are written with one field per line. */
const ONE_LINE = 60;

/** A JSON value as a literal of a language, which is JSON but for the tokens that the language writes otherwise. */
function literal(value: unknown, indent: number, token: (json: string) => string = (json) => json): string {
  const text = JSON.stringify(value, null, indent);
  const line = text.replace(/\n\s*/g, ' ');
  return (line.length > ONE_LINE ? text : line).replace(
    /"(?:[^"\\]|\\.)*"(?:: )?|[{}]|\b(?:true|false|null)\b/g,
    token,
  );
}
