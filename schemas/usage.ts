import { Type } from '@sinclair/typebox';
import { ERROR_CODES } from '../src/errors.ts';
import { Exactly, LossMark, Named, Nullable, OneOf, Shown, Text, Timestamp, TimestampText, Whole } from './atoms.ts';
import { PAGING_CONFLICTS, PagingQuery } from './params.ts';

/** `other`: calls of too many kinds at once are added up in one row. */
const OUTCOMES = ['ok', ...ERROR_CODES, 'other'] as const;

const Outcome = OneOf(OUTCOMES, {
  component: 'CallOutcome',
  description: 'ok, or the code of the error; other: all other outcomes',
});

const Milliseconds = (description: string, example: number) =>
  Nullable(
    Type.Number({
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      description: `${description}, in milliseconds`,
      examples: [example],
    }),
  );

export const UsageItem = Named('UsageItem', {
  from_date: Timestamp('When the hour or the day began (UTC).', '2026-03-02T00:00:00.000Z'),
  operation: Shown(64, 'The operationId of this document; other: as for the outcome', { examples: ['checkAccess'] }),
  outcome: Outcome,
  calls: Whole(0, Number.MAX_SAFE_INTEGER, 'How many calls there were', { examples: [127] }),
  p50_ms: Milliseconds('What half of the calls took at most', 0.52),
  p99_ms: Milliseconds('What 99 of 100 calls took at most', 4.939),
  ...LossMark,
});

export const UsageQuery = Exactly(
  {
    ...PagingQuery,
    span: Type.Optional(OneOf(['hour', 'day'], { description: 'What is added up in one item', default: 'day' })),
    from: Type.Optional(TimestampText('The first span is that of this date; by default 24 hours or 30 days ago.')),
    to: Type.Optional(TimestampText('The span of this date is the first one left out; by default none is.')),
    operation: Type.Optional(Text(64, 'An operationId of this document')),
    outcome: Type.Optional(Outcome),
  },
  { conflicts: PAGING_CONFLICTS, ordered: [['from', 'to']] },
);
