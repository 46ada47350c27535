import type { Child } from 'hono/jsx';
import { PostForm, Submit } from './form.tsx';
import { useOperator, useView } from './view.ts';

const HTMX = JSON.stringify({
  includeIndicatorStyles: false,
  allowEval: false,
  selfRequestsOnly: true,
  historyCacheSize: 0,
});

interface DocumentProps {
  title: string;
  /** Without scripts. */
  plain?: boolean;
  /** With the scripts that draw plots. */
  plots?: boolean | undefined;
  /** With the script of bars of calls. */
  bars?: boolean | undefined;
  children?: Child;
}

/** The document around every page. */
function Document({ title, plain, plots, bars, children }: DocumentProps) {
  const { asset, now, shownAt } = useView();
  return (
    <html lang="en" data-now={now} data-shown-at={shownAt}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>{title} · Broker console</title>
        <link rel="icon" href={asset('icon.svg')} type="image/svg+xml" />
        {plots ? <link rel="stylesheet" href={asset('plots.css')} /> : null}
        <link rel="stylesheet" href={asset('console.css')} />
        {plain ? null : <meta name="htmx-config" content={HTMX} />}
        {plain ? null : <script src={asset('htmx.js')} defer></script>}
        {plots ? <script src={asset('plots.js')} defer></script> : null}
        {bars ? <script src={asset('bars.js')} defer></script> : null}
        {plain ? null : <script src={asset('console.js')} defer></script>}
      </head>
      {children}
    </html>
  );
}

export interface Crumb {
  label: string;
  to: string;
}

interface PageProps {
  title: string;
  /** The path of its entry in the navigation. */
  section?: string | undefined;
  crumbs?: Crumb[] | undefined;
  /** The last crumb: this page. */
  here?: Child;
  /** The state of the record, shown behind the title. */
  state?: Child;
  /** Shown beside the title; of a record, on a phone, at the lower edge of the window. */
  actions?: Child;
  /** Whether the page has plots. */
  plots?: boolean;
  /** Whether it has bars of calls. */
  bars?: boolean;
  /** The focus begins at the title: the page answers a form, and is to be read. */
  focusTitle?: boolean;
  children?: Child;
}

/** A page for signed-in operators: navigation, search, title and content. */
export function Page({
  title,
  section,
  crumbs = [],
  here,
  state,
  actions,
  plots,
  bars,
  focusTitle,
  children,
}: PageProps) {
  const { navigation, environmentLabel, url } = useView();
  const operator = useOperator();
  const { pathname, searchParams: query } = new URL(url, 'http://console');
  const isHere = (path: string) => path === section || (section === undefined && pathname === path);
  return (
    <Document title={title} plots={plots} bars={bars}>
      <body>
        <a class="skip" href="#main">
          Skip to the page
        </a>
        <div class="frame">
          <header class="side">
            <a class="brand" href="/">
              Broker console
            </a>
            <button type="button" class="menu-button" popovertarget="menu">
              Menu
            </button>
            {/* A popover where there is little room, else a part of the page. */}
            <div id="menu" popover="auto">
              <nav aria-label="Main" id="sections">
                {navigation.map(({ label, entries }, index) => (
                  <>
                    <p id={`group-${index}`}>{label}</p>
                    <ul aria-labelledby={`group-${index}`}>
                      {entries.map(({ label, path, badge }) => (
                        <li>
                          <a href={path} aria-current={isHere(path) ? 'page' : undefined}>
                            {label}
                            {badge > 0 ? (
                              <span class="count">
                                {badge > 999 ? '999+' : badge}
                                <span class="visually-hidden"> waiting</span>
                              </span>
                            ) : null}
                          </a>
                        </li>
                      ))}
                    </ul>
                  </>
                ))}
              </nav>
              <div class="person">
                <a href="/sessions" title={operator.email}>
                  {operator.email}
                </a>
                <span>
                  {operator.role}
                  {environmentLabel ? ` · ${environmentLabel}` : null}
                </span>
                <PostForm action="/sign-out">
                  <Submit tone="small">Sign out</Submit>
                </PostForm>
              </div>
            </div>
          </header>
          <main id="main" tabindex={-1}>
            <Search value={section === '/search' ? (query.get('q') ?? '') : ''} />
            <div class="top">
              <div class="title">
                {crumbs.length > 0 ? (
                  <nav class="crumbs" aria-label="Breadcrumb">
                    {crumbs.map(({ label, to }) => (
                      <>
                        <a href={to}>{label}</a> <span aria-hidden="true">›</span>{' '}
                      </>
                    ))}
                    <span aria-current="page">{here ?? title}</span>
                  </nav>
                ) : null}
                <div class="named" id="named">
                  <h1 dir="auto" tabindex={focusTitle ? -1 : undefined} autofocus={focusTitle}>
                    {title}
                  </h1>
                  {state ? <span id="state">{state}</span> : null}
                </div>
              </div>
              <div class={state ? 'tools acts' : 'tools'} id="tools">
                {actions}
              </div>
            </div>
            <FlashMessage />
            {children}
          </main>
        </div>
      </body>
    </Document>
  );
}

const SEARCHED = 'Search services by client or address, brokers, keys, plans, requests, calls, emails and pages';

/** The search box of every page; without scripts its form leads to the results. */
function Search({ value }: { value: string }) {
  return (
    <search class="find">
      <form action="/search">
        <label for="find">Search</label>
        <input
          id="find"
          type="search"
          name="q"
          value={value}
          placeholder="Service, address, client, broker, request, call"
          title={SEARCHED}
          aria-label={SEARCHED}
          aria-keyshortcuts="/ Control+K"
          role="combobox"
          aria-autocomplete="list"
          aria-expanded="false"
          aria-controls="options"
          autocomplete="off"
          maxlength={200}
          data-find={useOperator().operator_id}
          hx-get="/search/options"
          hx-trigger="input changed delay:200ms"
          hx-target="#options"
          hx-sync="this:replace"
        />
        <span class="keys scripted quiet wide-only" aria-hidden="true">
          <kbd>/</kbd> or <kbd>Ctrl K</kbd>
        </span>
        <button type="submit" class="scriptless">
          Search
        </button>
      </form>
      <div id="options" role="listbox" aria-label="Matches" hidden></div>
    </search>
  );
}

interface BareProps {
  title: string;
  refresh?: string;
  scripts?: boolean;
  children?: Child;
}

/** A page of one card without navigation: sign-in and errors. */
export function Bare({ title, refresh, scripts = false, children }: BareProps) {
  return (
    <Document title={title} plain={!scripts}>
      {refresh === undefined ? null : <meta http-equiv="refresh" content={`0;url=${refresh}`} />}
      <body class="bare">
        <main class="card">
          <p class="brand">Broker console</p>
          <h1>{title}</h1>
          <FlashMessage />
          {children}
        </main>
      </body>
    </Document>
  );
}

/** The result of the previous form. */
function FlashMessage() {
  const { flash } = useView();
  if (!flash) return null;
  return (
    <p class={`notice flash ${flash.tone}`} role={flash.tone === 'bad' ? 'alert' : 'status'} dir="auto">
      {flash.text}
    </p>
  );
}
