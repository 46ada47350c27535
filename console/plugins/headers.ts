import helmet from '@fastify/helmet';
import fp from 'fastify-plugin';

/**
 * What browsers are told of every answer: nothing from outside, nothing inline, no frame around us, no address handed
 * on, nothing kept. An email's HTML stands in a frame of its own (`frame-src`), made by the page that shows it.
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
      // Said over HTTPS alone, below.
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
