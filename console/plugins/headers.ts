import helmet from '@fastify/helmet';
import fp from 'fastify-plugin';

/**
 * Security headers: nothing from other hosts, nothing inline, no framing, no referrer, no caching. The page that shows
 * an email's HTML sets its own policy.
 */
export default fp(
  async (app) => {
    await app.register(helmet, {
      contentSecurityPolicy: {
        useDefaults: false,
        directives: {
          defaultSrc: ["'none'"],
          scriptSrc: ["'self'"],
          styleSrc: ["'self'"],
          imgSrc: ["'self'"],
          connectSrc: ["'self'"],
          frameSrc: ["'self'"],
          formAction: ["'self'"],
          frameAncestors: ["'none'"],
          baseUri: ["'none'"],
        },
      },
      crossOriginEmbedderPolicy: false,
      referrerPolicy: { policy: 'no-referrer' },
      xFrameOptions: { action: 'deny' },
      // Sent over HTTPS only, below.
      strictTransportSecurity: false,
    });
    app.addHook('onRequest', async (request, reply) => {
      reply.header('cache-control', 'no-store');
      reply.header('x-request-id', request.id);
      reply.header('x-robots-tag', 'noindex');
      if (request.protocol === 'https') reply.header('strict-transport-security', 'max-age=31536000');
    });
  },
  { name: 'console-headers', fastify: '5.x' },
);
