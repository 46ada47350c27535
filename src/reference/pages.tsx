import type { Child } from 'hono/jsx';
import type { Docs } from './docs.ts';
import { anchorOfField, type DocumentedField } from './fields.ts';
import { htmlOf, inlineHtmlOf, operationPage, sectionsMentioning } from './guides.ts';
import type { DocumentedOperation } from './operations.ts';
import { samplesOf } from './samples.ts';
import { type Place, searchOf } from './search.ts';

/** Of a search; longer ones are cut. */
const MAX_QUERY_LENGTH = 100;

/** The pages that need no script (contract, section 1), each made when it is called for. */
export function pagesOf(docs: Docs) {
  const { at } = docs;
  const page = (title: string, here: string, content: Child, field: Child = <SearchField query="" />) =>
    `<!doctype html>${(
      <Page title={title} here={here} docs={docs} field={field}>
        {content}
      </Page>
    )}`;
  return {
    guides: () => page('Guides', at.guides, <div class="text">{htmlOf(docs.guides)}</div>),
    reference: () => page('Reference', at.reference, <Reference docs={docs} />),
    errors: () => page('Errors and reasons', at.errors, <Errors docs={docs} />),
    operation: (operation: DocumentedOperation) =>
      page(operation.name, operationPage(at, operation), <OperationPage operation={operation} docs={docs} />),
    /** Returns the function that makes the page for a query: all that does not depend on it is made here. */
    search() {
      const find = searchOf(docs);
      const [beforeField, beforeFound, end] = page('Search', '', SLOT, SLOT).split(SLOT);
      return (text: string): string => {
        const query = text.slice(0, MAX_QUERY_LENGTH).trim();
        const field = <SearchField query={query} />;
        return `${beforeField}${field}${beforeFound}${<Found query={query} places={find(query)} />}${end}`;
      };
    },
  };
}

/** Stands in a page where each answer has something else; no text has it. */
const SLOT = '\0';

interface Link {
  href: string;
  title: string;
  method?: DocumentedOperation['method'];
}

const linkTo = ({ at }: Docs, operation: DocumentedOperation): Link => ({
  href: operationPage(at, operation),
  title: operation.name,
});

interface PageProps {
  title: string;
  /** Its own address. */
  here: string;
  docs: Docs;
  /** The search field. */
  field: Child;
  children: Child;
}

function Page({ title, here, docs, field, children }: PageProps) {
  const { at, api } = docs;
  const contents: Array<[string, readonly Link[]]> = [
    ['Guides', docs.sections],
    [
      'Reference',
      [
        { href: at.reference, title: 'All operations' },
        { href: at.errors, title: 'Errors and reasons' },
        { href: at.openapi, title: 'OpenAPI document' },
        { href: `${at.guides}/llms.txt`, title: 'All of it as text' },
      ],
    ],
    ...foldersOf(docs).map(([folder, operations]): [string, Link[]] => [
      folder,
      operations.map((operation) => ({ ...linkTo(docs, operation), method: operation.method })),
    ]),
  ];
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>
          {title} · {api.title}
        </title>
        <link rel="icon" type="image/svg+xml" href={`${at.guides}/static/icon.svg`} />
        <link rel="stylesheet" href={`${at.guides}/static/docs.css`} />
        <script src={`${at.guides}/static/docs.js`} defer></script>
      </head>
      <body>
        <header>
          <a class="skip" href="#main">
            Skip to the text
          </a>
          <a class="home" href={at.guides}>
            {api.title}
          </a>
          <a class="menu" href="#contents">
            Contents
          </a>
          <search>
            <form action={`${at.guides}/search`}>
              {field}
              <button type="submit">Search</button>
            </form>
          </search>
        </header>
        <div class="frame">
          <nav id="contents" aria-label="Contents">
            {contents.map(([heading, links]) => (
              <>
                <h2>{heading}</h2>
                <ul>
                  {links.map(({ href, title, method }) => (
                    <li>
                      <a href={href} aria-current={href === here ? 'page' : undefined}>
                        {method ? <Method of={method} /> : null}
                        {title}
                      </a>
                    </li>
                  ))}
                </ul>
              </>
            ))}
          </nav>
          <main id="main" tabindex={-1}>
            {children}
          </main>
        </div>
      </body>
    </html>
  );
}

const SEARCHED = 'Search guides, operations, fields and reasons';

const SearchField = ({ query }: { query: string }) => (
  <input type="search" name="q" value={query} maxlength={MAX_QUERY_LENGTH} aria-label={SEARCHED} />
);

const foldersOf = ({ operations }: Docs): Array<[string, DocumentedOperation[]]> =>
  [...new Set(operations.map(({ folder }) => folder))].map((folder) => [
    folder,
    operations.filter((operation) => operation.folder === folder),
  ]);

const Method = ({ of }: { of: DocumentedOperation['method'] }) => (
  <span class={`method ${of.toLowerCase()}`}>{of}</span>
);

const Inline = ({ text }: { text: string }) => <>{inlineHtmlOf(text)}</>;

const Links = ({ to }: { to: readonly Link[] }) => (
  <>
    {to.map(({ href, title }, index) => (
      <>
        {index > 0 ? ', ' : null}
        <a href={href}>{title}</a>
      </>
    ))}
  </>
);

const Heading = ({ id, children }: { id: string; children: Child }) => (
  <h2 id={id}>
    <a href={`#${id}`}>{children}</a>
  </h2>
);

interface Row {
  id?: string;
  term: Child;
  text: Child;
}

const Rows = ({ rows }: { rows: readonly Row[] }) => (
  <dl class="rows">
    {rows.map(({ id, term, text }) => (
      <div id={id}>
        <dt>{term}</dt>
        <dd>{text}</dd>
      </div>
    ))}
  </dl>
);

const scopesOf = ({ scopes }: DocumentedOperation): string =>
  scopes.map((scope) => `\`${scope}\``).join(' or ') || 'none';

const Reference = ({ docs }: { docs: Docs }) => (
  <>
    <h1>Reference</h1>
    <p>
      The base address is <code>{docs.baseUrl}</code>. Send the key as <code>Authorization: Bearer</code>. The{' '}
      <a href={docs.at.guides}>guides</a> describe what all operations have in common.
    </p>
    {foldersOf(docs).map(([folder, operations]) => (
      <>
        <Heading id={folder.toLowerCase()}>{folder}</Heading>
        <Rows
          rows={operations.map((operation) => ({
            term: <Links to={[linkTo(docs, operation)]} />,
            text: (
              <>
                <Method of={operation.method} /> <code>{operation.path}</code>
                <p class="quiet">
                  <Inline
                    text={`${docs.api.permission.word}: ${scopesOf(operation)}${operation.takesIdempotencyKey ? ' · takes an idempotency key' : ''}`}
                  />
                </p>
              </>
            ),
          }))}
        />
      </>
    ))}
  </>
);

function OperationPage({ operation, docs }: { operation: DocumentedOperation; docs: Docs }) {
  const { inputs, successes, failures } = operation;
  const guides = sectionsMentioning(operation, docs.sections);
  return (
    <>
      <h1>{operation.name}</h1>
      <p class="call">
        <Method of={operation.method} /> <code>{operation.path}</code>
      </p>
      <div class="operation">
        <div>
          <p>
            <Inline text={operation.description} />
          </p>
          <ul class="facts">
            <li>
              <a href={`${docs.at.guides}#keys-and-${docs.api.permission.word.toLowerCase()}s`}>
                {docs.api.permission.word}
              </a>
              : <Inline text={scopesOf(operation)} />
            </li>
            {docs.hasIdempotencyKeys ? (
              <li>
                <a href={`${docs.at.guides}#idempotency`}>Idempotency key</a>:{' '}
                {operation.takesIdempotencyKey ? 'optional' : 'none'}
              </li>
            ) : null}
            {guides.length === 0 ? null : (
              <li>
                In the guides: <Links to={guides} />
              </li>
            )}
          </ul>
        </div>
        <div class="beside">
          <Heading id="sample">Sample</Heading>
          <Samples operation={operation} docs={docs} />
          {successes.map(({ status, description, example }) => (
            <>
              <Heading id={`sample-${status}`}>
                Answer: {status} {description}
              </Heading>
              <Code text={JSON.stringify(example, null, 2)} />
            </>
          ))}
        </div>
        <div>
          <Fields title="Path" place="path" fields={inputs.path} />
          <Fields title="Query" place="query" fields={inputs.query} />
          <Fields title="Headers" place="header" fields={inputs.header} />
          <Fields title={operation.bodyRequired ? 'Body' : 'Body (optional)'} place="body" fields={inputs.body} />
          <Fields title="Answer" place="answer" fields={successes[0]?.fields ?? []}>
            {successes.map(({ status, description, fixed }) => (
              <p>
                <strong>{status}</strong> <Inline text={[description, ...fixed].join(', ')} />
              </p>
            ))}
          </Fields>
          <Heading id="errors">Errors</Heading>
          <p class="quiet">The reasons of a code stand in the order in which they are checked.</p>
          <Rows
            rows={failures.map(({ status, code, reasons }) => ({
              term: (
                <>
                  {status} <Links to={[{ href: `${docs.at.errors}#${code}`, title: code }]} />
                </>
              ),
              text: <Links to={reasons.map((reason) => ({ href: `${docs.at.errors}#${reason}`, title: reason }))} />,
            }))}
          />
        </div>
      </div>
    </>
  );
}

function Fields({
  title,
  place,
  fields,
  children,
}: {
  title: string;
  place: string;
  fields: DocumentedField[];
  children?: Child;
}) {
  if (fields.length === 0) return null;
  const note = ({ required }: DocumentedField) =>
    place === 'answer' ? !required && 'not always there' : required && '**required**';
  return (
    <>
      <Heading id={place}>{title}</Heading>
      {children}
      <Rows
        rows={fields.map((field) => ({
          id: anchorOfField(place, field),
          term: (
            <>
              <code>{field.name}</code>{' '}
              <span class="quiet">
                <Inline text={[field.type, note(field), ...field.rules].filter(Boolean).join(' · ')} />
              </span>
            </>
          ),
          text: <Inline text={field.description} />,
        }))}
      />
    </>
  );
}

/** Tabs without a script: each choice shows the sample behind it. */
function Samples({ operation, docs }: { operation: DocumentedOperation; docs: Docs }) {
  const samples = samplesOf(operation, docs);
  return (
    <fieldset class="samples">
      <legend class="visually-hidden">Language of the sample</legend>
      {samples.map(({ lang, label }, index) => (
        <>
          <input type="radio" name="language" id={lang} value={lang} checked={index === 0} />
          <label for={lang}>{label}</label>
        </>
      ))}
      {samples.map(({ lang, source }) => (
        <div class={lang}>
          <Code text={source} />
        </div>
      ))}
    </fieldset>
  );
}

const Code = ({ text }: { text: string }) => (
  <div class="code">
    <pre tabindex={0}>
      <code>{text}</code>
    </pre>
  </div>
);

const Errors = ({ docs }: { docs: Docs }) => (
  <>
    <h1>Errors and reasons</h1>
    <p>
      Branch on <code>code</code> and <code>details.reason</code>, never on <code>message</code>. When to repeat a call
      stands in the <a href={`${docs.at.guides}#errors-and-what-to-do`}>guides</a>.
    </p>
    {docs.errors.map(({ code, status, advice, reasons }) => (
      <section>
        <Heading id={code}>
          {code} <span class="quiet">{status}</span>
        </Heading>
        <Advice text={advice} code={code} docs={docs} />
        <Rows
          rows={reasons.map((each) => ({
            id: each.reason,
            term: <Links to={[{ href: `#${each.reason}`, title: each.reason }]} />,
            text: <Advice text={each.advice} code={code} reason={each.reason} docs={docs} />,
          }))}
        />
      </section>
    ))}
  </>
);

/** What to do about a code or reason, its details, and the operations that answer it. */
function Advice({ text, code, reason, docs }: { text: string; code: string; reason?: string; docs: Docs }) {
  const details = docs.details.get(reason ?? code) ?? [];
  const answering = docs.operations.filter(({ failures }) =>
    failures.some((failure) => failure.code === code && (reason === undefined || failure.reasons.includes(reason))),
  );
  const isAll = (some: (operation: DocumentedOperation) => boolean) =>
    answering.length === docs.operations.filter(some).length;
  const together =
    (isAll(() => true) && 'Every operation.') ||
    (isAll(({ body }) => body !== undefined) && 'Every operation with a body.') ||
    (isAll(({ scopes }) => scopes.length > 0) &&
      `Every operation that needs a ${docs.api.permission.word.toLowerCase()}.`);
  return (
    <>
      <p>
        <Inline text={text} />
      </p>
      {details.map(({ name, type, description }) => (
        <p>
          <code>details.{name}</code> <span class="quiet">{type}</span> <Inline text={description} />
        </p>
      ))}
      <p class="quiet">{together || <Links to={answering.map((operation) => linkTo(docs, operation))} />}</p>
    </>
  );
}

const Found = ({ query, places }: { query: string; places: readonly Place[] }) => (
  <>
    <h1>Search{query === '' ? null : `: ${query}`}</h1>
    {query !== '' && places.length === 0 ? <p>Nothing has all of these words.</p> : null}
    <Rows rows={places.map((place) => ({ term: <Links to={[place]} />, text: place.text }))} />
  </>
);
