import type { FastifyReply } from 'fastify';

/**
 * What a browser may do with a broker's HTML: show it and what stands in it, and nothing else. No script, no form, no
 * address is asked for, and no page but ours has it in a frame.
 */
const POLICY = [
  'sandbox',
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  'img-src data:',
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'self'",
].join('; ');

/** Sends a mail's HTML for the frame that shows it (`components/mail-frame.tsx`), under a policy of its own. */
export const sendMailHtml = (reply: FastifyReply, html: string): FastifyReply =>
  reply
    // The frame's origin is nobody's, so there is nothing to be kept apart from; the browser would say so each time.
    .removeHeader('origin-agent-cluster')
    .header('content-security-policy', POLICY)
    .header('x-frame-options', 'SAMEORIGIN')
    .type('text/html; charset=utf-8')
    .send(html);
