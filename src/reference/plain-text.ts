import type { Docs } from './docs.ts';
import type { Field } from './fields.ts';
import { callOf } from './guides.ts';
import type { Operation } from './operations.ts';

/** The whole documentation in plain text, for language models (llmstxt.org): guides, operations with fields, reasons. */
export const plainText = ({ guides, operations, errors, details, baseUrl }: Docs): string =>
  `${guides
    .replace(
      /^# .*\n/,
      "# Broker API\n\n> Manage clients' services of a hosting operator over HTTP and JSON: order, change plans, suspend, cancel, warn, report.\n",
    )
    // Links between pages: the text has everything in it.
    .replaceAll(/\[(`[^`\]]+`)\]\(\/api\/docs[^)]*\)/g, '$1')
    .trim()}

## Operations

Base address: ${baseUrl}. The OpenAPI document is at ${baseUrl}/openapi.json.

${operations.map(operationText).join('\n\n')}

## Every error code and reason

${errors
  .flatMap(({ code, status, advice, reasons }) => [
    `- ${status} \`${code}\`: ${advice}${detailsText(details.get(code))}`,
    ...reasons.map((each) => `  - \`${each.reason}\`: ${each.advice}${detailsText(details.get(each.reason))}`),
  ])
  .join('\n')}
`;

const operationText = (operation: Operation): string =>
  [
    `### ${callOf(operation)}`,
    `${operation.name}. ${operation.description}`,
    `Scope: ${operation.scopes.join(' or ') || 'none'}. Idempotency key: ${operation.takesIdempotencyKey ? 'yes' : 'no'}.`,
    ...Object.entries(operation.inputs).map(([place, fields]) => fieldsText(`In the ${place}`, fields)),
    ...operation.successes.map(({ status, description, fixed, fields }, index) =>
      index === 0
        ? fieldsText([`Answer ${status}, ${description}`, ...fixed].join(', '), fields)
        : [`Answer ${status}, ${description}`, ...fixed].join(', '),
    ),
    `Errors: ${operation.failures.map(({ status, code, reasons }) => `${status} ${code}${reasons.length > 0 ? ` (${reasons.join(', ')})` : ''}`).join('; ')}`,
  ]
    .filter(Boolean)
    .join('\n\n');

const fieldsText = (title: string, fields: readonly Field[]): string =>
  fields.length === 0 ? '' : `${title}:\n\n${fields.map((field) => `- ${fieldText(field)}`).join('\n')}`;

const fieldText = ({ name, type, required, rules, description }: Field): string =>
  [`\`${name}\` (${type}${required ? ', required' : ''})`, description, ...rules].filter(Boolean).join('; ');

const detailsText = (fields: readonly Field[] = []): string =>
  fields.length === 0 ? '' : ` Details: ${fields.map(({ name, type }) => `\`${name}\` (${type})`).join(', ')}.`;
