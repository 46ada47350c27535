import type { Api } from './api.ts';
import type { Docs } from './docs.ts';
import type { DocumentedField } from './fields.ts';
import { callOf } from './guides.ts';
import type { DocumentedOperation } from './operations.ts';

/** The whole documentation in plain text, for language models (llmstxt.org): guides, operations with fields, reasons. */
export const plainText = ({ api, at, guides, operations, errors, details, baseUrl }: Docs): string =>
  `${guides
    .replace(/^# .*\n/, `# ${api.title}\n\n> ${api.summary}\n`)
    // Links between pages: the text has everything in it.
    .replaceAll(new RegExp(`\\[(\`[^\`\\]]+\`)\\]\\(${at.guides}[^)]*\\)`, 'g'), '$1')
    .trim()}

## Operations

Base address: ${baseUrl}. The OpenAPI document is at ${baseUrl}/openapi.json.

${operations.map((operation) => operationText(operation, api)).join('\n\n')}

## Every error code and reason

${errors
  .flatMap(({ code, status, advice, reasons }) => [
    `- ${status} \`${code}\`: ${advice}${detailsText(details.get(code))}`,
    ...reasons.map((each) => `  - \`${each.reason}\`: ${each.advice}${detailsText(details.get(each.reason))}`),
  ])
  .join('\n')}
`;

const operationText = (operation: DocumentedOperation, { permission: { word } }: Api): string =>
  [
    `### ${callOf(operation)}`,
    `${operation.name}. ${operation.description}`,
    `${word}: ${operation.scopes.join(' or ') || 'none'}.${word === 'Scope' ? ` Idempotency key: ${operation.takesIdempotencyKey ? 'yes' : 'no'}.` : ''}`,
    ...Object.entries(operation.inputs).map(([place, fields]) => fieldsText(`In the ${place}`, fields, 'required')),
    ...operation.successes.map(({ status, description, fixed, fields }, index) =>
      index === 0
        ? fieldsText([`Answer ${status}, ${description}`, ...fixed].join(', '), fields, 'optional')
        : [`Answer ${status}, ${description}`, ...fixed].join(', '),
    ),
    `Errors: ${operation.failures.map(({ status, code, reasons }) => `${status} ${code}${reasons.length > 0 ? ` (${reasons.join(', ')})` : ''}`).join('; ')}`,
  ]
    .filter(Boolean)
    .join('\n\n');

/** `noted`: which fields are marked; of a request those that are required, of an answer those that may be absent. */
const fieldsText = (title: string, fields: readonly DocumentedField[], noted: 'required' | 'optional'): string => {
  const note = ({ required }: DocumentedField) => ((noted === 'required') === required ? `, ${noted}` : '');
  const lines = fields.map((field) => {
    const { name, type, description, rules } = field;
    return `- ${[`\`${name}\` (${type}${note(field)})`, description.replace(/\.$/, ''), ...rules].filter(Boolean).join('; ')}`;
  });
  return lines.length === 0 ? '' : `${title}:\n\n${lines.join('\n')}`;
};

const detailsText = (fields: readonly DocumentedField[] = []): string =>
  fields.length === 0 ? '' : ` Details: ${fields.map(({ name, type }) => `\`${name}\` (${type})`).join(', ')}.`;
