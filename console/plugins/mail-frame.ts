import type { FastifyReply } from 'fastify';

/** A browser may display a broker's HTML only: no scripts, forms or requests, framed by the console alone. */
const POLICY = [
  'sandbox',
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  'img-src data:',
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'self'",
].join('; ');

/** Sends an email's HTML for `components/mail-frame.tsx`, with its own content security policy. */
export const sendMailHtml = (reply: FastifyReply, html: string): FastifyReply =>
  reply
    // A sandboxed frame has an opaque origin, for which the browser logs a warning about this header.
    .removeHeader('origin-agent-cluster')
    .header('content-security-policy', POLICY)
    .header('x-frame-options', 'SAMEORIGIN')
    .type('text/html; charset=utf-8')
    .send(html);
