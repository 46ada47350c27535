import t from 'tap';
import { reportJunit, reportText } from '../../conformance/report.ts';

const problem = {
  message: 'the header <x> is missing',
  request: 'GET /v1/plans',
  answer: 'HTTP 200\n\n{"a":"\u0001"}',
};
const check = (title: string, result: 'passed' | 'failed' | 'skipped', more: object = {}) => ({
  section: title === 'third' ? 'other' : 'lists',
  title,
  result,
  calls: 1,
  duration_ms: 1500,
  problems: [],
  ...more,
});
const REPORT = {
  base_url: 'https://api.example.com/api',
  passed: 1,
  failed: 2,
  skipped: 1,
  calls: 12,
  checks: [
    check('first', 'passed'),
    check('second', 'failed', { problems: [problem, { message: 'b' }, { message: 'c' }, { message: 'd' }] }),
    check('third', 'skipped', { why: 'needs another key' }),
    check('fifth', 'skipped', { why: 'runs with --full' }),
    check('fourth', 'failed', { problems: [{ message: 'alone' }] }),
  ],
};

t.test('the report has a line for each check, and the request and answer of what failed', async (t) => {
  const text = reportText(REPORT);
  t.match(text, /^ok {6}lists {2}first$/m);
  t.match(text, /^skipped other {2}third \(needs another key\)$/m);
  t.match(
    text,
    /^FAILED: lists: second\n {2}\* the header <x> is missing\n\n {4}> GET \/v1\/plans\n\n {4}< HTTP 200$/m,
  );
  t.notMatch(text, /fifth/);
  t.match(text, /^1 more checks run with --full\.$/m);
  t.match(text, / {2}\* c\n {2}and 1 more\n/);
  t.match(text, /https:\/\/api\.example\.com\/api: 1 passed, 2 failed, 1 skipped, 12 calls\.$/);
});

t.test('JUnit XML has the same', async (t) => {
  const xml = reportJunit(REPORT);
  t.match(xml, '<testsuites name="https://api.example.com/api" tests="5" failures="2" skipped="1">');
  t.match(xml, '<testsuite name="lists" tests="4" failures="2" skipped="1">');
  t.match(xml, '<testcase classname="lists" name="first" time="1.500"/>');
  t.match(xml, '<skipped message="needs another key"/>');
  t.match(xml, '<failure message="the header &lt;x&gt; is missing; b; c; d">');
  t.match(xml, '{&quot;a&quot;:&quot;\ufffd&quot;}');
});
