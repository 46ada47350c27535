import fp from 'fastify-plugin';

const ONE_YEAR = 'max-age=31536000; includeSubDomains';

/** Tells callers that came over HTTPS never to come without it (contract, section 1). */
export default fp(
  async (app) => {
    app.addHook('onRequest', (request, reply, done) => {
      if (request.protocol === 'https') reply.header('strict-transport-security', ONE_YEAR);
      done();
    });
  },
  { name: 'hsts', fastify: '5.x' },
);
