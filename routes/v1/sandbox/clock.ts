import { Envelope, errors, gateErrors } from '../../../schemas/envelope.ts';
import { NoQuery } from '../../../schemas/params.ts';
import { ClockBody, Sandbox } from '../../../schemas/sandbox.ts';
import { timestampOf } from '../parameters.ts';
import type { V1Instance } from '../route.ts';

export default async (app: V1Instance) => {
  app.post(
    '/sandbox/clock',
    {
      config: { scopes: ['admin:full'], sandboxOnly: true },
      schema: {
        operationId: 'moveSandboxClock',
        tags: ['Sandbox'],
        summary: "Move the sandbox's clock forward",
        description:
          'Moves the clock by `advance_seconds` or to a `date`, at most ten years ahead of the real date. What is ' +
          'due by then has happened when the answer arrives. A `date` that is up to 60 seconds behind the ' +
          "sandbox's changes nothing, so a call with `date` can be repeated; one further back is " +
          '`clock_out_of_range`. Sandbox keys only.',
        querystring: NoQuery,
        body: ClockBody,
        reasons: ['clock_out_of_range'],
        response: {
          200: Envelope(Sandbox, {
            example: { sandbox_date: '2026-03-03T09:30:00.000Z', offset_seconds: 86_400 },
          }),
          ...gateErrors(),
          ...errors(404),
        },
      },
    },
    async ({ caller, body }, reply) =>
      reply.answer(
        await app.sandboxes.moveClock(
          caller,
          body.advance_seconds === undefined
            ? { date: Number(timestampOf(body.date)) }
            : { advanceSeconds: body.advance_seconds },
        ),
      ),
  );
};
