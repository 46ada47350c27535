import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { readSshPublicKey } from '../../src/rules/ssh-keys.ts';

const NO_OPENSSH = spawnSync('ssh-keygen', ['-?']).error ? 'ssh-keygen is not installed' : false;

/** A public key as ssh-keygen makes it. */
function made(t: Test, type: string, bits?: number): string {
  const file = join(t.testdir(), 'key');
  const size = bits === undefined ? [] : ['-b', String(bits)];
  execFileSync('ssh-keygen', ['-q', '-t', type, ...size, '-N', '', '-C', 'ada@example.com', '-f', file]);
  return readFileSync(`${file}.pub`, 'utf8');
}

const field = (value: string | Buffer): Buffer => {
  const bytes = Buffer.from(value as string);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes.length);
  return Buffer.concat([length, bytes]);
};
const keyOf = (type: string, ...fields: Array<string | Buffer>) =>
  `${type} ${Buffer.concat([type, ...fields].map(field)).toString('base64')}`;
const POINT = Buffer.concat([Buffer.from([4]), Buffer.alloc(64, 7)]);
const ED25519 = keyOf('ssh-ed25519', Buffer.alloc(32, 7));

const faultOf = (text: string): string => {
  const read = readSshPublicKey(text);
  return 'fault' in read ? read.fault : 'none';
};

t.test(
  'every key that OpenSSH makes is taken as one line, whatever stands around it',
  { skip: NO_OPENSSH },
  async (t) => {
    const types: Array<[string, number?]> = [
      ['ed25519'],
      ['rsa', 1024],
      ['rsa', 4096],
      ['ecdsa', 256],
      ['ecdsa', 384],
      ['ecdsa', 521],
    ];
    for (const [type, bits] of types) {
      const line = made(t, type, bits);
      const spread = `\n \t${line.replaceAll(' ', ' \t ')}\r\n`;
      t.strictSame(readSshPublicKey(spread), { key: line.trim() }, `${type} ${bits}`);
    }
  },
);

t.test('keys of security keys are taken', async (t) => {
  const keys = [
    keyOf('sk-ssh-ed25519@openssh.com', Buffer.alloc(32, 7), 'ssh:'),
    keyOf('sk-ecdsa-sha2-nistp256@openssh.com', 'nistp256', POINT, 'ssh:'),
  ];
  for (const key of keys) t.strictSame(readSshPublicKey(`${key} ada`), { key: `${key} ada` });
});

t.test('a key that was cut anywhere is refused, as OpenSSH refuses it', { skip: NO_OPENSSH }, async (t) => {
  const [type = '', blob = ''] = made(t, 'ecdsa', 256).split(' ');
  const bytes = Buffer.from(blob, 'base64');
  const file = join(t.testdir(), 'cut.pub');
  for (let length = 0; length < bytes.length; length += 1) {
    const cut = `${type} ${bytes.subarray(0, length).toString('base64')}`;
    writeFileSync(file, `${cut}\n`);
    const isTaken = spawnSync('ssh-keygen', ['-l', '-f', file]).status === 0;
    t.strictSame({ isTaken, fault: faultOf(cut) !== 'none' }, { isTaken: false, fault: true }, `${length} bytes`);
  }
  t.not(faultOf(`${type} ${blob.slice(0, -3)}`), 'none', 'without the end of its text');
});

t.test('each fault is told in words of its own', async (t) => {
  const [, blob = ''] = ED25519.split(' ');
  const faults: Array<[text: string, fault: RegExp]> = [
    ['ssh-ed25519', /cut off/],
    [`ssh-ed25519 ${blob}AAAA`, /damaged/],
    [keyOf('ssh-ed25519', Buffer.alloc(31, 7)), /damaged/],
    [keyOf('ecdsa-sha2-nistp256', 'nistp384', POINT), /damaged/],
    [`ssh-rsa ${blob}`, /said to be ssh-rsa/],
    [keyOf('ssh-rsa', Buffer.from([1, 0, 1]), Buffer.alloc(96, 0x7f)), /RSA key of 767 bits/],
    [keyOf('ssh-rsa', Buffer.from([1, 0, 1]), Buffer.alloc(128, 0xff)), /^is damaged/],
    [`ssh-dss ${blob}`, /DSA/],
    [`ssh-foo ${blob}`, /must begin with its type/],
    [`ssh-ed25519-cert-v01@openssh.com ${blob}`, /certificate/],
    [`command="ls",no-pty ${ED25519} ada`, /options/],
    [`${ED25519}\n${ED25519}`, /on one line/],
    [`${ED25519} a\u0007b`, /control characters/],
    ['-----BEGIN OPENSSH PRIVATE KEY-----\nAAAA\n-----END OPENSSH PRIVATE KEY-----', /private key/],
    ['---- BEGIN SSH2 PUBLIC KEY ----\nAAAA', /form of OpenSSH/],
    ['', /must begin with its type/],
  ];
  for (const [text, fault] of faults) t.match(faultOf(text), fault, text.slice(0, 60));
});
