#!/usr/bin/env bash
# nodemailer 10.6.0: where a server offers PIPELINING, MAIL, RCPT and DATA go out in one write. A server that refuses MAIL with
# a permanent reply and hangs up, as Postfix does with 521 and Exim with `drop`, then looks like a broken connection: the
# error has the code ECONNECTION, no `response` and no `responseCode`. Without PIPELINING the same server's refusal is
# reported with both. The reply did arrive: `connection.lastServerResponse` has it.
#
# Expected: a reply that was read before the connection closed is the reason of the failure, with or without PIPELINING.
set -euo pipefail
cd "$(mktemp -d)"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund nodemailer@10.6.0 >/dev/null
cat >try.cjs <<'JS'
const net = require('node:net');
const SMTPConnection = require('nodemailer/lib/smtp-connection');
const send = (pipelining) => new Promise((resolve) => {
  const server = net.createServer((socket) => {
    socket.on('error', () => undefined);
    socket.write('220 mx.example ESMTP\r\n');
    socket.on('data', (data) => {
      if (/^EHLO/.test(data)) socket.write(pipelining ? '250-mx.example\r\n250 PIPELINING\r\n' : '250 mx.example\r\n');
      else if (/^MAIL/.test(data)) socket.end('521 5.7.1 no mail from here\r\n');
    });
  }).listen(0, '127.0.0.1', () => {
    const connection = new SMTPConnection({ host: '127.0.0.1', port: server.address().port, ignoreTLS: true });
    const end = (error) => {
      const { code, responseCode = null } = error;
      resolve(`code ${code}, responseCode ${responseCode}, last reply ${String(connection.lastServerResponse).slice(0, 3)}`);
      connection.close();
      server.close();
    };
    connection.on('error', end);
    connection.connect(() =>
      connection.send({ from: 'a@example.com', to: ['b@example.com'] }, 'Subject: x\r\n\r\nx', (error) => error && end(error)));
  });
});
(async () => {
  console.log('without PIPELINING:', await send(false));
  console.log('with PIPELINING:', await send(true));
})();
JS
timeout 60 node try.cjs | tee seen
grep -q '^without PIPELINING: .*responseCode 521' seen
grep -q '^with PIPELINING: code ECONNECTION, responseCode null, last reply 521' seen
echo 'as stated'
