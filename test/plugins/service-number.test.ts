import Fastify from 'fastify';
import t from 'tap';
import jsonBody from '../../plugins/json-body.ts';
import serviceNumber from '../../plugins/service-number.ts';
import { ServiceParams } from '../../schemas/params.ts';

t.test('behind its gate a service number is a number, 0 where no service can have it', async (t) => {
  const app = Fastify();
  t.teardown(() => app.close());
  await app.register(jsonBody);
  await app.register(serviceNumber);
  app.setValidatorCompiler(() => () => true);
  app.get('/:service_number', { schema: { params: ServiceParams } }, async ({ params }) => params);
  app.get('/other/:service_number', async ({ params }) => params);

  for (const [text, number] of [
    ['007', 7],
    ['9007199254740991', 9007199254740991],
    ['9007199254740993', 0],
    ['-1', 0],
  ]) {
    t.strictSame((await app.inject(`/${text}`)).json(), { service_number: number }, String(text));
  }
  t.match((await app.inject('/1e3')).json(), { code: 'invalid_parameter', message: 'Invalid service number' });
  t.strictSame((await app.inject('/other/1e3')).json(), { service_number: '1e3' }, 'where no schema names one');
});
