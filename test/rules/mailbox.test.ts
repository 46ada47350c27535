import t from 'tap';
import { isMailbox } from '../../src/rules/mailbox.ts';

t.test('one bare address is a mailbox', async (t) => {
  for (const text of [
    'ada@example.com',
    'a.b+tag@mail.example.com',
    "o'hara_{x}@example.co",
    'ada@xn--bcher-kva.example',
    'ada@1-2.example.com',
    `${'l'.repeat(64)}@example.com`,
    `ada@${'d'.repeat(63)}.com`,
    `${'l'.repeat(64)}@${'d'.repeat(61)}.${'e'.repeat(61)}.${'f'.repeat(61)}.net`,
  ]) {
    t.equal(isMailbox(text), true, text);
  }
});

t.test('whatever a header could read as more than an address, or no server could deliver, is none', async (t) => {
  for (const text of [
    '',
    '@',
    'ada',
    'ada@',
    '@example.com',
    'ada@example',
    'ada@example.com@example.net',
    'Ada <ada@example.com>',
    '<ada@example.com>',
    'ada@example.com,eve@example.net',
    'ada@example.com;eve@example.net',
    '"ada"@example.com',
    'ada(x)@example.com',
    'a b@example.com',
    ' ada@example.com',
    'ada@example.com ',
    'ada@example.com\n',
    'ada@example.com\r\nBcc: eve@example.net',
    'ada\u0000@example.com',
    '.ada@example.com',
    'ada.@example.com',
    'a..b@example.com',
    'ada@example..com',
    'ada@.example.com',
    'ada@example.com.',
    'ada@-example.com',
    'ada@example-.com',
    'ada@exa_mple.com',
    'ada@[127.0.0.1]',
    'ädä@example.com',
    'ada@bücher.example',
    `${'l'.repeat(65)}@example.com`,
    `ada@${'d'.repeat(64)}.com`,
    `${'l'.repeat(64)}@${'d'.repeat(62)}.${'e'.repeat(61)}.${'f'.repeat(61)}.net`,
  ]) {
    t.equal(isMailbox(text), false, JSON.stringify(text));
  }
});
