import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import type { Test } from 'tap';

/**
 * What a server says at each stage of a session; `null` says nothing more and keeps the connection, a function does as
 * it pleases with the socket.
 */
type Line = string | null | ((socket: Socket) => void);

const PROPER = {
  greeting: '220 test ESMTP' as Line,
  ehlo: '250-test\r\n250-SIZE 20000000\r\n250 AUTH PLAIN' as Line,
  starttls: '502 5.5.1 not here' as Line,
  auth: '235 2.7.0 welcome' as Line,
  mail: '250 2.1.0 ok' as Line,
  rcpt: '250 2.1.5 ok' as Line,
  data: '354 go on' as Line,
  message: '250 2.0.0 queued as 4Q2' as Line,
  quit: '221 bye' as Line,
};

export type Script = Partial<typeof PROPER>;

const VERBS: Array<[RegExp, keyof Script]> = [
  [/^(EHLO|HELO) /, 'ehlo'],
  [/^STARTTLS$/, 'starttls'],
  [/^AUTH /, 'auth'],
  [/^MAIL FROM:/, 'mail'],
  [/^RCPT TO:/, 'rcpt'],
  [/^DATA$/, 'data'],
  [/^QUIT$/, 'quit'],
];

/** A server that speaks SMTP by a script, properly where the script says nothing. */
export async function startScriptedSmtp(t: Test, script: Script = {}) {
  const lines = { ...PROPER, ...script };
  const server = {
    port: 0,
    connections: 0,
    commands: [] as string[],
    /** Messages whose final dot arrived. */
    messages: [] as string[],
  };
  const sockets = new Set<Socket>();
  // Without the delay, so that a reply is on its way before a connection is reset.
  const listening = createServer({ noDelay: true }, (socket) => {
    server.connections += 1;
    sockets.add(socket);
    socket.on('error', () => undefined).setEncoding('latin1');
    const say = (line: Line) => {
      if (typeof line === 'string') socket.write(`${line}\r\n`);
      else line?.(socket);
    };
    let inMessage = false;
    let rest = '';
    socket.on('data', (chunk) => {
      rest += chunk;
      for (;;) {
        const end = rest.indexOf(inMessage ? '\r\n.\r\n' : '\r\n');
        if (end < 0) return;
        const text = rest.slice(0, end);
        rest = rest.slice(end + (inMessage ? 5 : 2));
        if (inMessage) {
          inMessage = false;
          server.messages.push(text.slice(2));
          say(lines.message);
          continue;
        }
        server.commands.push(text);
        const stage = VERBS.find(([verb]) => verb.test(text))?.[1];
        if (stage === 'data') {
          inMessage = true;
          // The dot of an empty message ends the line of the command.
          rest = `\r\n${rest}`;
        }
        say(stage ? lines[stage] : '500 5.5.2 what?');
      }
    });
    say(lines.greeting);
  }).listen(0, '127.0.0.1');
  await once(listening, 'listening');
  t.teardown(() => {
    for (const socket of sockets) socket.destroy();
    listening.close();
  });
  server.port = (listening.address() as AddressInfo).port;
  return server;
}
