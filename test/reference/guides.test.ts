import t from 'tap';
import {
  headingAnchor,
  htmlOf,
  pagesBelow,
  sectionsMentioning,
  sectionsOf,
  shownGuides,
} from '../../src/reference/guides.ts';
import type { DocumentedOperation } from '../../src/reference/operations.ts';

const AT = pagesBelow('/api');

const GUIDE = `# All of it

Begin [here](#first-call), see \`GET
/v1/things\`, \`not_there\`, \`missing\` or [elsewhere](https://example.com).

## First call

Ask \`GET /v1/none\` with sk_live_DemoKnown.

\`\`\`sh
# a comment
## no heading
curl -H 'Bearer sk_live_DemoKnown' https://your-host/api/v1/other/7/do # \`GET /v1/things\` <b> & "c"
\`\`\`

## What's next?

Go [back](#first-call). <script>alert(1)</script>
`;

const operations = [{ id: 'listThings', method: 'GET', path: '/v1/things' } as DocumentedOperation];
const shown = (demo: boolean) => shownGuides(AT, GUIDE, { operations, reasons: ['not_there', 'missing'], demo });

t.test('the guides have links to operations and reasons, and no key that does not work', async (t) => {
  const guide = shown(false);
  t.match(guide, 'see [`GET\n/v1/things`](/api/docs/reference/listThings), [`not_there`](/api/docs/errors#not_there),');
  t.match(guide, ', `missing` or', 'a word of other things too is no link');
  t.match(guide, 'Ask `GET /v1/none` with sk_live_YOUR_KEY', 'nor is what the document does not have');
  t.match(guide, "'Bearer sk_live_YOUR_KEY' https://your-host/api/v1/other/7/do # `GET /v1/things` <b>");
  t.match(shown(true), 'with sk_live_DemoKnown');
});

t.test('each heading has an anchor, and HTML is shown as text', async (t) => {
  const html = String(htmlOf(shown(false)));
  t.match(html, '<h2 id="whats-next"><a href="#whats-next">');
  t.match(html, '&#60;b&#62; &#38; &#34;c&#34;');
  t.notMatch(html, /<h2[^>]*>(<a[^>]*>)?no heading|<script|style=/);
  t.equal(headingAnchor("What's next?"), 'whats-next');
  t.strictSame(
    sectionsOf(AT, GUIDE).map(({ title, href }) => [title, href]),
    [
      ['First call', '/api/docs#first-call'],
      ["What's next?", '/api/docs#whats-next'],
    ],
  );
});

t.test('a section belongs to the operations that it calls', async (t) => {
  const titles = (path: string) => sectionsMentioning({ path }, sectionsOf(AT, GUIDE)).map(({ title }) => title);
  t.strictSame(titles('/v1/other/{id}/do'), ['First call']);
  t.strictSame(titles('/v1/other/{id}'), []);
  t.strictSame(titles('/v1/nothing'), []);
});
