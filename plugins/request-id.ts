import fp from 'fastify-plugin';

/** Sends `X-Request-Id` with every answer: the id of the request in the log. */
export default fp(
  async (app) => {
    app.addHook('onRequest', (request, reply, done) => {
      reply.header('x-request-id', request.id);
      done();
    });
  },
  { name: 'request-id', fastify: '5.x' },
);
