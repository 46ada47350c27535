import t from 'tap';
import { readBrokers, readTemplates } from '../../src/demo/data.ts';
import {
  checkTemplate,
  renderTemplate,
  type TemplateSource,
  type TemplateValues,
  warningsOf,
} from '../../src/mail/templates.ts';

const VALUES: TemplateValues = {
  client_name: `<b>O'Hara & "Co"</b>`,
  client_email: 'ada@example.net',
  service_number: '1000001',
  service_label: '',
  plan_name: 'Starter',
  warning_reason: 'Line one\nLine <two>',
  broker_name: 'Example\r\nBcc: eve@example.com',
  renewal_date: '2030-01-31T00:30:00.000Z',
  hostname: 'shop.example.net',
  ip_address: '192.0.2.10',
  ip_addresses: '192.0.2.10, 2001:db8::10',
  username: 'root',
  login_url: 'https://panel.example.net/1',
  action_name: '',
};

const SOUND = {
  subject: 'Notice for {{ client_name }}',
  html: '<p>{{ client_name }}</p>',
  text: 'Dear {{ client_name }}',
};

const renderHtml = (html: string) => renderTemplate({ ...SOUND, html }, VALUES).html;
const check = (template: TemplateSource) => checkTemplate(template).map(({ field, message }) => `${field}: ${message}`);

const checkHtml = (html: string) => check({ ...SOUND, html });

t.test('what other panels write for a value is warned of, once for each part', async (t) => {
  t.strictSame(warningsOf(SOUND), []);
  t.strictSame(warningsOf({ ...SOUND, html: '<style>p {color: red}</style>{{client_name}} 100% [sic] {x}' }), []);
  const said = (part: string, text: string) =>
    `${part}: ${text} is no value here and is mailed as it stands; values are written {{ client_name }}`;
  const foreign = {
    subject: 'For {$client_name}',
    html: '{$client_name} {$client_name} {$service.domain|upper}',
    text: '{client_name} %plan_name% [broker_name]',
  };
  t.strictSame(warningsOf(foreign), [
    said('subject', '{$client_name}'),
    said('html', '{$client_name}'),
    said('html', '{$service.domain|upper}'),
    said('text', '{client_name}'),
    said('text', '%plan_name%'),
    said('text', '[broker_name]'),
  ]);
  t.equal(warningsOf({ ...SOUND, text: Array.from({ length: 30 }, (_, index) => `{$v${index}}`).join() }).length, 20);
});

t.test('values are escaped in the HTML part and plain in subject and text', async (t) => {
  t.same(renderTemplate(SOUND, VALUES), {
    subject: `Notice for <b>O'Hara & "Co"</b>`,
    html: '<p>&lt;b&gt;O&#39;Hara &amp; &#34;Co&#34;&lt;/b&gt;</p>',
    text: `Dear <b>O'Hara & "Co"</b>`,
  });
  t.same(check(SOUND), []);
  for (const [kind, template] of readTemplates(readBrokers().demo)) {
    t.same(check(template), [], `the demo template ${kind} has no fault`);
  }
});

t.test('a subject is one line, whatever stands in the template or the values', async (t) => {
  const { subject } = renderTemplate({ ...SOUND, subject: '\n From\t{{ broker_name }}\u0085\n' }, VALUES);
  t.equal(subject, 'From Example Bcc: eve@example.com');
});

const NAME = '&lt;b&gt;O&#39;Hara &amp; &#34;Co&#34;&lt;/b&gt;';

t.test('every tag and filter of the contract does what Liquid says, and a value is escaped exactly once', async (t) => {
  const cases: Array<[source: string, html: string]> = [
    ['{{ client_name | escape }}', NAME],
    ['{{ client_name | escape | escape }}', NAME],
    ['{{ plan_name | upcase | downcase | capitalize }}', 'Starter'],
    ['{{ client_name | upcase }}', NAME.toUpperCase().replace(/&[A-Z]+;/g, (entity) => entity.toLowerCase())],
    ['{{ "  a<b  " | strip }}', 'a&lt;b'],
    ['{{ client_name | truncate: 5, "<" }}', '&lt;b&gt;O&lt;'],
    ['{{ service_label | default: "<none>" }}', '&lt;none&gt;'],
    ['{{ false | default: "x", allow_false: true }}', 'false'],
    ['{{ warning_reason | newline_to_br }}', 'Line one<br>\nLine &lt;two&gt;'],
    ['{{ warning_reason | strip | newline_to_br }}', 'Line one<br>\nLine &lt;two&gt;'],
    ['{{ renewal_date | date: "%-d %B %Y, %H:%M" }}', '31 January 2030, 00:30'],
    ['{% if service_label != "" %}{{ service_label }}{% elsif plan_name == "x" %}x{% else %}none{% endif %}', 'none'],
    ['{% unless service_label == "" %}some{% else %}none{% endunless %}', 'none'],
    ['{% case plan_name %}{% when "Basic", "Starter" %}one{% else %}two{% endcase %}', 'one'],
    ['{% comment %}{{ nobody }}{% endcomment %}{% raw %}{{ nobody }}{% endraw %}', '{{ nobody }}'],
    ['{%- if client_name contains "Co" and plan_name.size > 3 -%} x {%- endif -%}', 'x'],
    ['{% if service_label == empty or service_label == blank %}{{ nil }}{{ empty }}-{% endif %}', '-'],
  ];
  for (const [source, html] of cases) {
    t.same(checkHtml(`${source}.`), [], source);
    t.equal(renderHtml(source), html, source);
  }
  t.equal(renderTemplate({ ...SOUND, text: '{{ client_name | escape }}' }, VALUES).text, VALUES.client_name);
  t.equal(renderTemplate({ ...SOUND, text: '{{ nil }}{{ 1 }}{{ true }}' }, VALUES).text, '1true');
});

t.test('whatever else Liquid has is refused, in branches that are not taken too', async (t) => {
  const refusals: Array<[source: string, fault: RegExp]> = [
    [
      '{% for i in (1..3) %}{% endfor %}',
      /^html: tag "for" not found \(there are if, unless, case, comment, raw\), line 1$/,
    ],
    ['{% tablerow i in (1..3) %}{% endtablerow %}', /tag "tablerow" not found/],
    ['{% assign x = 1 %}', /tag "assign" not found/],
    ['{% capture x %}{% endcapture %}', /tag "capture" not found/],
    ['{% increment x %}', /tag "increment" not found/],
    ['{% cycle "a", "b" %}', /tag "cycle" not found/],
    ['{% echo client_name %}', /tag "echo" not found/],
    ['{% liquid echo client_name %}', /tag "liquid" not found/],
    ['{% include "package.json" %}', /tag "include" not found/],
    ['{% render "package.json" %}', /tag "render" not found/],
    ['{% layout "package.json" %}', /tag "layout" not found/],
    ['{% block x %}{% endblock %}', /tag "block" not found/],
    ['{% # comment %}', /tag "#" not found/],
    ['{% if (1..100000000) contains 5 %}x{% endif %}', /a range "\(1\.\.100000000\)", line 1/],
    ['{% case (1..9) %}{% when 1 %}{% endcase %}', /a range/],
    ['{% case plan_name %}{% when (1..9) %}{% endcase %}', /a range/],
    ['{% unless plan_name %}{{ (1..9) }}{% endunless %}', /a range/],
    ['{{ client_name | raw }}', /unknown filter "raw", line 1/],
    ['{{ client_name | replace: "a", "b" }}', /unknown filter "replace"/],
    ['{{ client_name | append: "b" }}', /unknown filter "append"/],
    ['{% if client_name | split: "" %}x{% endif %}', /unknown filter "split"/],
    ['{{ client_name | newline_to_br | upcase }}', /newline_to_br is not the last filter/],
    ['{{ client_name | newline_to_br | newline_to_br }}', /newline_to_br is not the last filter/],
    ['{{ service_label | default: client_name }}', /argument of the filter "default" is not a literal/],
    ['{{ "x" | default: "y", allow_false: plan_name }}', /argument of the filter "default" is not a literal/],
    ['{{ "x" | truncate: (1..9) }}', /argument of the filter "truncate" is not a literal/],
    ['{{ renewal_date | date: plan_name }}', /argument of the filter "date" is not a literal/],
    ['{{ renewal_date | date }}', /"date" takes one format/],
    ['{{ renewal_date | date: 7 }}', /"date" takes one format/],
    ['{{ renewal_date | date: "%H", "Europe/Berlin" }}', /"date" takes one format/],
    ['{{ renewal_date | date: "%999999999d" }}', /a date format with a width/],
    ['{{ renewal_date | date: "%-0_9N" }}', /a date format with a width/],
    ['{{ renewal_date | date: "\\u002599d" }}', /a date format with a width/],
    ['{{ client_name.first }}', /unknown value "client_name.first"/],
    ['{{ client_name.size.more }}', /unknown value "client_name.size.more"/],
    ['{{ client_name[plan_name] }}', /unknown value "client_name\[plan_name\]"/],
    ['{{ "x".size }}', /unknown value/],
    ['{{ constructor }}', /unknown value "constructor"/],
    ['{{ __proto__ }}', /unknown value "__proto__"/],
    ['{{ client_name.__proto__ }}', /unknown value "client_name.__proto__"/],
    ['{% if client_name %}', /tag .* not closed/],
    ['{{ client_name ', /output .* not closed/],
  ];
  for (const [source, fault] of refusals) {
    t.match(checkHtml(source), [fault], source);
    t.match(checkHtml(`x{% if false %}\n${source}{% endif %}`), [/.+/], `${source} in a branch`);
  }
});

t.test('the faults of every part are named, each with its line', async (t) => {
  t.same(
    check({
      subject: '{{ customer }} {{ client_name.first }}',
      html: '<p>\n{% if client_name == "nobody" %}\n{{ secret.key }}{% elsif rows %}{% endif %}',
      text: '{{ client_name | no_such_filter }}\n{{ plan_name | nor_this }}',
    }),
    [
      'subject: unknown value "customer", line 1',
      'subject: unknown value "client_name.first", line 1',
      'html: unknown value "rows", line 3',
      'html: unknown value "secret.key", line 3',
      'text: unknown filter "no_such_filter", line 1',
      'text: unknown filter "nor_this", line 2',
    ],
  );
});

t.test('a part that is blank is refused', async (t) => {
  t.same(check({ subject: ' \n', html: '', text: '{% comment %}x{% endcomment %}' }), [
    'subject: it is blank',
    'html: it is blank',
    'text: it is blank',
  ]);
});

t.test('a template is bounded in its length, tags, levels, date formats and what it writes', async (t) => {
  const nested = (levels: number) => `${'{% if true %}'.repeat(levels)}x${'{% endif %}'.repeat(levels)}`;
  const formats = (count: number) => '{{ renewal_date | date: "%B" }}'.repeat(count);
  const bounds: Array<[within: string, beyond: string, fault: RegExp]> = [
    ['x'.repeat(200_000), 'x'.repeat(200_001), /more than 200000 characters/],
    ['{{ plan_name }}'.repeat(5_000), '{{ plan_name }}'.repeat(5_001), /more than 5000 tags/],
    [nested(50), nested(51), /more than 50 blocks within each other/],
    [formats(250), formats(251), /more than 1000 characters of date formats/],
  ];
  for (const [within, beyond, fault] of bounds) {
    t.same(checkHtml(within), []);
    t.match(checkHtml(beyond), [fault]);
  }
  t.match(checkHtml(nested(2_400)), [/more than 50 blocks|stack size exceeded/]);
  t.equal(
    checkHtml(`{% if ${'a or '.repeat(30_000)} b %}x{% endif %}`).length,
    20,
    'so many faults are listed at most',
  );

  const long = { ...SOUND, text: '{{ warning_reason }}'.repeat(4_000) };
  t.same(check(long), []);
  const values = { ...VALUES, warning_reason: 'a'.repeat(1_000) };
  t.throws(() => renderTemplate(long, values), {
    message: /^The template's text cannot be rendered: memory alloc limit exceeded/,
  });
  t.throws(() => renderTemplate({ ...SOUND, html: long.text }, values), { message: /^The template's html cannot/ });
});
