import t from 'tap';
import { type Answered, judgeOf } from '../support/documented.ts';
import { served } from '../support/served.ts';

t.test('an answer that the document does not describe fails the test that gets it', async (t) => {
  const { app, call, key, service } = await served(t);
  const judge = judgeOf(app.openapiDocument());
  const answered = async (url: string): Promise<Answered> => {
    const { status, headers, raw } = await call(key, 'GET', url);
    return { method: 'GET', url: `/api/v1${url}`, status, headers: { ...headers }, body: raw };
  };
  const right = await answered(`/services/${service.number}`);
  const refused = await answered('/services/abc');
  const unknown = await answered('/nowhere');
  for (const answer of [right, refused, unknown]) t.strictSame(judge(answer), [], answer.url);

  const { 'x-request-id': _, ...anonymous } = right.headers;
  const planted: Record<string, Answered> = {
    'a field that is not documented': { ...right, body: right.body.replace('"data":{', '"data":{"secret":1,') },
    'one in a nested record': { ...right, body: right.body.replace('"plan":{', '"plan":{"secret":1,') },
    'a field that is missing': { ...right, body: right.body.replace(/"label":null,/, '') },
    'another word': { ...right, body: right.body.replace('"active"', '"asleep"') },
    'a timestamp without milliseconds': { ...right, body: right.body.replace(/\.\d{3}Z/, 'Z') },
    'a status that is not documented': { ...right, status: 204 },
    'a header that is missing': { ...right, headers: anonymous },
    'a header that is malformed': { ...right, headers: { ...right.headers, 'x-ratelimit-limit': 'many' } },
    'a header of another answer': { ...right, headers: { ...right.headers, 'retry-after': '1' } },
    'another code': { ...refused, body: refused.body.replace('invalid_parameter', 'invalid_state') },
    'details that no reason has': { ...refused, body: refused.body.replace('"details":{', '"details":{"sql":"",') },
    'a reason of another operation': {
      ...refused,
      body: refused.body.replace(/"fields":\[.*?\]/, '"reason":"clock_out_of_range"'),
    },
    'another code where nothing is': { ...unknown, body: unknown.body.replace('not_found', 'nothing') },
    'another envelope where nothing is': { ...unknown, body: '{"success":false,"error":{},"more":1}' },
  };
  for (const [title, answer] of Object.entries(planted)) {
    t.ok(judge(answer).length > 0, title);
  }
});
