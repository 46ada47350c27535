import { Registry } from 'prom-client';
import t from 'tap';
import { createAnswerTimes } from '../../src/traffic/answer-times.ts';

t.test('an answer counts in every bucket that it is not slower than, and the slowest in the last alone', async (t) => {
  const registry = new Registry();
  const count = createAnswerTimes(registry)('GET', '/things');
  for (const seconds of [0.001, 0.02, 11]) count(200, seconds);
  count(404, 0.5);
  const text = await registry.metrics();
  const labels = 'method="GET",route="/things",status="200"';
  for (const line of [
    `broker_http_answers_total{${labels}} 3`,
    'broker_http_answers_total{method="GET",route="/things",status="404"} 1',
    `broker_http_answer_duration_seconds_bucket{le="0.001",${labels}} 1`,
    `broker_http_answer_duration_seconds_bucket{le="0.01",${labels}} 1`,
    `broker_http_answer_duration_seconds_bucket{le="0.05",${labels}} 2`,
    `broker_http_answer_duration_seconds_bucket{le="10",${labels}} 2`,
    `broker_http_answer_duration_seconds_bucket{le="+Inf",${labels}} 3`,
    `broker_http_answer_duration_seconds_sum{${labels}} 11.021`,
    `broker_http_answer_duration_seconds_count{${labels}} 3`,
    '# TYPE broker_http_answers_total counter',
  ]) {
    t.ok(text.split('\n').includes(line), line);
  }
});
