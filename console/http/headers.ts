import fp from 'fastify-plugin';

const POLICY = [
  "default-src 'none'",
  ...['script-src', 'style-src', 'img-src', 'connect-src', 'frame-src', 'form-action'].map((name) => `${name} 'self'`),
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join('; ');

/**
 * Security headers: nothing from other hosts, nothing inline, no framing, no referrer, no caching. The page that shows
 * an email's HTML sets its own policy.
 */
const HEADERS = {
  'content-security-policy': POLICY,
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'origin-agent-cluster': '?1',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-dns-prefetch-control': 'off',
  'x-frame-options': 'DENY',
  'x-robots-tag': 'noindex',
  'cache-control': 'no-store',
} as const;

/** The headers of every answer. */
export const pageHeaders = (requestId: string, overHttps: boolean): Record<string, string> => ({
  ...HEADERS,
  'x-request-id': requestId,
  ...(overHttps && { 'strict-transport-security': 'max-age=31536000' }),
});

export default fp(
  async (app) => {
    app.addHook('onRequest', async (request, reply) => {
      reply.headers(pageHeaders(request.id, request.protocol === 'https'));
    });
  },
  { name: 'console-headers', fastify: '5.x' },
);
