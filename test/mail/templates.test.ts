import t from 'tap';
import { createTemplateEngine } from '../../src/mail/templates.ts';
import type { TemplateValues } from '../../src/ports.ts';

const VALUES: TemplateValues = {
  client_name: `<b>O'Hara & "Co"</b>`,
  client_email: 'ada@example.net',
  service_number: '1000001',
  service_label: '',
  plan_name: 'Starter',
  warning_reason: 'Line one\nLine <two>',
  broker_name: 'Example\r\nBcc: eve@example.com',
  renewal_date: '2030-01-31T00:30:00.000Z',
};

const SOUND = {
  subject: 'Notice for {{ client_name }}',
  html: '<p>{{ client_name }}</p>',
  text: 'Dear {{ client_name }}',
};

const engine = createTemplateEngine();
const renderer = {
  render: async (...args: Parameters<typeof engine.render>) => engine.render(...args),
  check: async (...args: Parameters<typeof engine.check>) => engine.check(...args),
};
const renderHtml = async (html: string) => (await renderer.render({ ...SOUND, html }, VALUES)).html;
const check = async (template: Parameters<typeof renderer.check>[0]) =>
  (await renderer.check(template)).map(({ field, message }) => `${field}: ${message}`);
const checkHtml = (html: string) => check({ ...SOUND, html });

t.test('values are escaped in the HTML part and plain in subject and text', async (t) => {
  t.same(await renderer.render(SOUND, VALUES), {
    subject: `Notice for <b>O'Hara & "Co"</b>`,
    html: '<p>&lt;b&gt;O&#39;Hara &amp; &#34;Co&#34;&lt;/b&gt;</p>',
    text: `Dear <b>O'Hara & "Co"</b>`,
  });
  t.same(await renderer.check(SOUND), []);
});

t.test('a subject is one line, whatever stands in the template or the values', async (t) => {
  const { subject } = await renderer.render({ ...SOUND, subject: '\n From\t{{ broker_name }}\u0085\n' }, VALUES);
  t.equal(subject, 'From Example Bcc: eve@example.com');
});

t.test('the same source means the same in plain and in HTML parts, each with its own escaping', async (t) => {
  const same = { subject: '{{ client_name }}', html: '{{ client_name }}', text: '{{ client_name }}' };
  const rendered = await renderer.render(same, VALUES);
  t.equal(rendered.text, VALUES.client_name);
  t.match(rendered.html, '&lt;b&gt;');
});

t.test('no template can put a client’s markup into the HTML part', async (t) => {
  for (const source of [
    '{{ client_name | escape }}',
    '{{ client_name | escape_once }}',
    '{{ client_name | xml_escape }}',
    '{{ client_name | json }}',
    '{{ client_name | escape | upcase }}',
    '{{ client_name | newline_to_br }}',
    '{{ client_name | newline_to_br | append: client_name }}',
    '{% echo client_name %}',
    '{% cycle client_name, plan_name %}',
    '{% capture x %}{{ client_name }}{% endcapture %}{{ x }}',
    '{% assign x = client_name | split: "," %}{{ x }}{% for y in x %}{{ y }}{% endfor %}',
    '{% liquid echo client_name %}',
  ]) {
    t.notMatch(await renderHtml(source), /<b>|&amp;lt;b&amp;gt;.*<b>/i, source);
  }
  t.match(await checkHtml('{{ client_name | raw }}'), [/^html: undefined filter: raw/]);
});

t.test('an escaping filter does not escape twice, and line breaks can become markup', async (t) => {
  t.equal(await renderHtml('{{ client_name | escape }}'), await renderHtml('{{ client_name }}'));
  t.equal(await renderHtml('{{ warning_reason | newline_to_br }}'), 'Line one<br>\nLine &lt;two&gt;');
});

const NAME = '&lt;b&gt;O&#39;Hara &amp; &#34;Co&#34;&lt;/b&gt;';

t.test('a value is escaped exactly once on every way that it can take through the HTML part', async (t) => {
  const capture = (inner: string) => `{% capture x %}${inner}{% endcapture %}`;
  const captured = capture('<i>{{ client_name }}</i>');
  const cases: Array<[source: string, html: string]> = [
    [`${captured}{{ x }}`, `<i>${NAME}</i>`],
    [`${captured}{% echo x %}{% liquid echo x %}`, `<i>${NAME}</i><i>${NAME}</i>`],
    [`${captured}{% assign y = x %}{{ y | escape }}{{ y | escape_once }}`, `<i>${NAME}</i><i>${NAME}</i>`],
    [`${captured}${capture('{{ x }}{{ plan_name }}')}{{ x }}`, `<i>${NAME}</i>Starter`],
    [`${captured}{{ x | append: client_name }}`, `<i>${NAME}</i>${NAME}`],
    [`${captured}{{ client_name | append: x }}`, `${NAME}<i>${NAME}</i>`],
    [`${captured}{{ x | prepend: client_name }}`, `${NAME}<i>${NAME}</i>`],
    [`{{ client_name | prepend: client_name | append: plan_name }}`, `${NAME}${NAME}Starter`],
    [
      `${capture(' {{ client_name }}\n ')}[{{ x | strip }}][{{ x | lstrip }}][{{ x | rstrip }}]`,
      `[${NAME}][${NAME}\n ][ ${NAME}]`,
    ],
    [`${capture('\n{{ client_name }}\r\n')}{{ x | strip_newlines }}`, NAME],
    [`{{ ' a ' | strip | append: client_name }}`, `a${NAME}`],
    [`${captured}{{ x | default: 'nobody' }}`, `<i>${NAME}</i>`],
    [`${capture('')}{{ x | default: client_name }}`, NAME],
    [`{{ service_label | default: client_name }}`, NAME],
    ['{{ warning_reason | newline_to_br | append: client_name }}', `Line one<br>\nLine &lt;two&gt;${NAME}`],
    ['{{ warning_reason | newline_to_br | newline_to_br }}', 'Line one<br><br>\nLine &lt;two&gt;'],
    ['{% assign x = warning_reason | newline_to_br %}{{ x }}', 'Line one<br>\nLine &lt;two&gt;'],
    [`${capture('{{ warning_reason }}')}{{ x | newline_to_br }}`, 'Line one<br>\nLine &lt;two&gt;'],
    // What works on text sees the text, without the markup around it.
    [
      `${captured}{{ x | upcase }}`,
      NAME.replace('Hara', 'HARA')
        .replace('Co', 'CO')
        .replace(/;b&|;\/b&/g, (tag) => tag.toUpperCase()),
    ],
    [`${captured}{{ x | json }}`, `&#34;${NAME.replaceAll('&#34;', '\\&#34;')}&#34;`],
    [`${captured}{{ x | split: ' ' | join: '-' }}`, NAME.replaceAll(' ', '-')],
    [`${captured}{% cycle x %}`, NAME],
    [`${captured}{% for y in x %}{{ y }}{% endfor %}`, NAME],
    [`${captured}{% if x == client_name %}equal{% endif %}`, 'equal'],
    [`${captured}{{ x | size }}, {{ x.size }}`, `${VALUES.client_name.length}, ${VALUES.client_name.length}`],
    ['{{ warning_reason | newline_to_br | split: "<" | last }}', 'two&gt;'],
    ['{% echo %}', ''],
  ];
  for (const [source, html] of cases) t.equal(await renderHtml(source), html, source);
});

t.test('the inside of what was captured is out of reach', async (t) => {
  for (const name of ['html', 'constructor', 'prototype', '__proto__']) {
    const source = `{% capture x %}{{ client_name }}{% endcapture %}{{ x.${name} }}`;
    const rendered = await renderHtml(source).catch((error: Error) => error.message);
    t.match(rendered, /cannot be rendered/, name);
  }
});

t.test('dates are written in UTC and English wherever the server stands', async (t) => {
  t.equal(await renderHtml('{{ renewal_date | date: "%-d %B %Y, %H:%M" }}'), '31 January 2030, 00:30');
});

t.test('an empty value is no fault and can be asked for', async (t) => {
  t.equal(await renderHtml('{% if service_label != "" %}{{ service_label }}{% else %}none{% endif %}'), 'none');
  t.equal(await renderHtml('{{ plan_name.size }}'), '7');
});

t.test('check names every fault of every part, in branches that are not taken too', async (t) => {
  const faults = await check({
    subject: '{{ customer }} {{ client_name.first }}',
    html: '{% if client_name == "nobody" %}{{ secret.key }}{% endif %}{% for x in rows %}{{ x }}{% endfor %}',
    text: '{{ client_name | no_such_filter }} {% no_such_tag %} {{ plan_name | nor_this }}',
  });
  t.match(faults, [
    'subject: unknown value "customer"',
    'subject: unknown value "client_name.first"',
    'html: unknown value "secret.key"',
    'html: unknown value "rows"',
    /^text: undefined filter: no_such_filter/,
    /^text: tag "no_such_tag" not found/,
    /^text: undefined filter: nor_this/,
  ]);
  t.equal(faults.length, 7);
});

t.test('check refuses what would fail while rendering, with full and with empty values', async (t) => {
  t.match(await checkHtml('{% if client_name %}'), [/^html: tag .* not closed/]);
  t.match(await checkHtml('{{ client_name '), [/^html: output .* not closed/]);
  t.match(await checkHtml('{% if service_label == "" %}{% assign x = 1 %}{% endif %}{{ x }}'), [
    /undefined variable: x/,
  ]);
  t.match(await checkHtml('{% if service_label != "" %}{% assign x = 1 %}{% endif %}{{ x }}'), [
    /undefined variable: x/,
  ]);
  t.match(await checkHtml('{{ client_name.size.more }}'), ['html: unknown value "client_name.size.more"']);
  t.match(await checkHtml('{{ constructor }}'), ['html: unknown value "constructor"']);
});

t.test('a part that is blank is refused', async (t) => {
  t.same(await check({ subject: ' \n', html: '', text: '{% comment %}x{% endcomment %}' }), [
    'subject: it is blank',
    'html: it is blank',
    'text: it is blank',
  ]);
});

t.test('nothing outside the template can be reached', async (t) => {
  for (const source of [
    '{% include "package.json" %}',
    '{% render "package.json" %}',
    '{% layout "package.json" %}',
    '{% block x %}{% endblock %}',
  ]) {
    t.match(await checkHtml(source), [/^html: tag "\w+" not found/], source);
  }
});

t.test('a template that would take too long, too much or too many characters is refused', async (t) => {
  t.match(await checkHtml('{% for i in (1..100000000) %}x{% endfor %}'), [/memory alloc limit exceeded/]);
  const loop = '{% for i in (1..3000) %}';
  t.match(await checkHtml(`${loop}${loop}${loop}{% endfor %}{% endfor %}{% endfor %}`), [
    /template render limit exceeded/,
  ]);
  for (const grow of ['{% capture x %}{{ x }}{{ x }}{% endcapture %}', '{% assign x = x | append: x %}']) {
    const doubling = `{% capture x %}{{ client_name }}{% endcapture %}{% for i in (1..60) %}${grow}{% endfor %}{{ x }}`;
    t.match(await checkHtml(doubling), [/memory alloc limit exceeded/], grow);
  }
  t.match(await checkHtml('x'.repeat(200_001)), [/parse length limit exceeded/]);
});

t.test('a template that cannot be rendered rejects with the part and the reason', async (t) => {
  await t.rejects(renderer.render({ ...SOUND, text: '{{ nobody }} {{ nothing }}' }, VALUES), {
    message: /^The template's text cannot be rendered: undefined variable: nobody.*; undefined variable: nothing/,
  });
});

t.test('a filter for lists of objects is unknown, so that no expression loops inside one node', async (t) => {
  const nested =
    '{{ service_label | split: "" | has_exp: "a", "service_label | split: \'\' | find_exp: \'b\', \'1\'" }}';
  t.match(await checkHtml(`{% if service_label == "boom" %}${nested}{% endif %}x`), [
    /^html: undefined filter: has_exp/,
  ]);
  for (const name of ['where', 'reject_exp', 'group_by_exp', 'find_index_exp', 'map', 'sum']) {
    t.match(await checkHtml(`{{ service_label | ${name}: "x" }}`), [new RegExp(`undefined filter: ${name}`)]);
  }
});
