import { Type } from '@sinclair/typebox';
import { REQUEST_TYPES } from '../../kinds/index.ts';
import { BROKER } from '../use-case/dependencies.ts';
import { line, oneOf, pastTime } from '../use-case/fields.ts';
import { SINCE } from '../use-case/time-range.ts';

/** What lists of failed requests are narrowed to. */
export const FAILURE_FILTER = {
  broker: Type.Optional(BROKER.broker),
  type: Type.Optional(oneOf(REQUEST_TYPES, { title: 'Type' })),
  reason: Type.Optional(line(64, { title: 'Reason', description: 'Why they failed: a word such as no_capacity' })),
};

/** When requests ended. */
export const ENDED = {
  ended_since: Type.Optional(pastTime({ title: 'Ended from', option: 'ended-since', description: SINCE })),
  ended_until: Type.Optional(
    pastTime({
      title: 'Ended before',
      option: 'ended-until',
      description: 'Until when they ended, excluded: given like --ended-since',
      inJson: 'Until when they ended, excluded: given like `ended_since`',
    }),
  ),
};
