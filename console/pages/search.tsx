import { CALLS_KEPT } from '../../src/operator/calls.ts';
import { search as find } from '../../src/operator/search.ts';
import { Card, Empty } from '../components/card.tsx';
import { Page } from '../components/layout.tsx';
import { BrokerLink, pathOf, ServiceLink } from '../components/links.tsx';
import { queryOf } from '../query.ts';
import type { Routes } from '../section.ts';

type Found = Awaited<ReturnType<typeof find>>;

/** The search of every page: redirects to the only match, or lists the matches. */
export const search: Routes = async (app, { context }) => {
  app.get('/search', { config: { role: 'viewer' } }, async (request, reply) => {
    const text = queryOf(request).get('q') ?? '';
    const found = await find(context, { text });
    const only = text === '' ? undefined : onlyOne(found);
    return only === undefined ? reply.view(<Search text={text} found={found} />) : reply.redirect(only, 303);
  });
};

/** The page of the only match. */
function onlyOne({ request, service, call, email, key, brokers }: Found): string | undefined {
  // A complete id is meant as one, whatever else matches.
  if (request) return pathOf.request(request.request_id);
  if (email) return pathOf.email(email.email_id);
  if (call) return pathOf.call(call.request_id);
  if (key) return pathOf.key(key.broker.slug, key.key_id);
  const paths = [
    ...(service ? [pathOf.service(service.service_number)] : []),
    ...brokers.map(({ slug }) => pathOf.broker(slug)),
  ];
  return paths.length === 1 ? paths[0] : undefined;
}

function Search({ text, found: { service, brokers, names_call } }: { text: string; found: Found }) {
  const nothing = brokers.length === 0 && !service;
  return (
    <Page title="Search" section="/search">
      {text === '' || nothing ? (
        <Empty>
          <p dir="auto">{text === '' ? 'Enter what to search for.' : `Nothing matches “${text}”.`}</p>
          {names_call ? <p>{CALLS_KEPT}.</p> : null}
          <p class="quiet">
            A broker’s name, a service’s number, the id of a request or an email, a key’s prefix, or a call’s
            X-Request-Id.
          </p>
          {text === '' ? null : (
            <p>
              <a href={pathOf.services(text)}>Search the names, labels and addresses of services</a>
            </p>
          )}
        </Empty>
      ) : (
        <Card title="Found">
          <ul class="rows">
            {service ? (
              <li>
                <span class="quiet">service</span> <ServiceLink number={service.service_number} /> of {service.broker}
              </li>
            ) : null}
            {brokers.map(({ slug, name }) => (
              <li>
                <span class="quiet">broker</span> <BrokerLink slug={slug} name={name} />{' '}
                <span class="mono quiet">{slug}</span>
              </li>
            ))}
          </ul>
        </Card>
      )}
    </Page>
  );
}
