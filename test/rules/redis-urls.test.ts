import t from 'tap';
import { readRedisUrl } from '../../src/rules/redis-urls.ts';

t.test('one server is passed on as it is, and named without its password', async (t) => {
  for (const url of ['redis://h', 'rediss://user:secret@h:6380/1']) {
    const read = readRedisUrl(url);
    t.equal(read?.url, url);
    t.notMatch(read?.name, 'secret');
  }
});

t.test('sentinels are read with the group that they watch', async (t) => {
  t.strictSame(readRedisUrl('redis+sentinel://a:1,b,[::1]:3/main'), {
    sentinels: [
      { host: 'a', port: 1 },
      { host: 'b', port: 26379 },
      { host: '::1', port: 3 },
    ],
    group: 'main',
    name: 'redis+sentinel://a:1,b,[::1]:3/main',
  });
  t.strictSame(readRedisUrl('redis+sentinel://us%40er:p%2Fw@a:1/main'), {
    sentinels: [{ host: 'a', port: 1 }],
    group: 'main',
    username: 'us@er',
    password: 'p/w',
    name: 'redis+sentinel://a:1/main',
  });
});

t.test('what is no such URL is refused', async (t) => {
  for (const url of [
    'localhost',
    'http://x',
    'redis://',
    'redis+sentinel://a:1',
    'redis+sentinel://a:1/',
    'redis+sentinel:///main',
    'redis+sentinel://a,,b/main',
    'redis+sentinel://a:99999/main',
    'redis+sentinel://a/main/2',
    'redis+sentinel://u:%zz@a/main',
  ]) {
    t.equal(readRedisUrl(url), null, url);
  }
});
