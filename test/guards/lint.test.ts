import { readFileSync } from 'node:fs';
import { lintFromString, loadConfig } from '@redocly/openapi-core';
import spectralCore from '@stoplight/spectral-core';
import owasp from '@stoplight/spectral-owasp-ruleset';
import spectralRulesets from '@stoplight/spectral-rulesets';
import t from 'tap';
import { parse } from 'yaml';
import { served } from '../support/served.ts';

/** As it is published where everything is configured. */
async function published(t: Tap): Promise<string> {
  const { app } = await served(t, { config: { publicUrl: 'https://api.hosting.test' } });
  return (await app.inject('/api/openapi.json')).body;
}
type Tap = Parameters<typeof served>[0];

t.test('Spectral finds nothing, its rules of OWASP included, but for what .spectral.yaml argues', async (t) => {
  const sets: Record<string, unknown> = {
    'spectral:oas': spectralRulesets.oas,
    '@stoplight/spectral-owasp-ruleset': owasp,
  };
  const ruleset = parse(readFileSync('.spectral.yaml', 'utf8')) as { extends: Array<[name: string, which: string]> };
  const spectral = new spectralCore.Spectral();
  spectral.setRuleset({ ...ruleset, extends: ruleset.extends.map(([name, which]) => [sets[name], which]) } as never);
  t.ok((await spectral.run({ openapi: '3.1.0', paths: {} })).length > 0, 'the rules are there');
  const found = await spectral.run(JSON.parse(await published(t)));
  t.strictSame(
    found.map(({ code, path, message }) => `${code} at ${path.join('.')}: ${message}`),
    [],
  );
});

t.test('Redocly finds nothing', async (t) => {
  const config = await loadConfig({ configPath: 'redocly.yaml' });
  const found = await lintFromString({ source: await published(t), absoluteRef: 'openapi.json', config });
  t.strictSame(
    found.map(({ ruleId, location, message }) => `${ruleId} at ${location[0]?.pointer}: ${message}`),
    [],
  );
});
