import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import type { Child } from 'hono/jsx';
import { takesGzip } from '../../src/http/static-files.ts';
import { countPendingWork, type Waiting } from '../../src/operator/system/pending-work.ts';
import type { OperatorContext } from '../../src/operator/use-case/dependencies.ts';
import { type View, ViewContext } from '../components/view.ts';
import { type Flash, flashCookie, readFlash } from '../http/flash.ts';
import type { SectionGroup } from '../http/section.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** A page for a caller of which nothing is known, as a text. */
    pageWithoutRequest(page: Child): string;
  }
  interface FastifyRequest {
    /** The address of the page that a form was sent from, while what answers the form is shown; empty for the request's own. */
    shownAt: string;
  }
  interface FastifyReply {
    /** Sends a page; every text in it is escaped. */
    view(page: Child, statusCode?: number): Promise<FastifyReply>;
    /** Shows a message on the next page. */
    flash(flash: Flash): FastifyReply;
  }
}

/** What is shown beside the operator's role while it is so, such as "demo data". */
export type EnvironmentLabel = () => Promise<string | undefined>;

const compress = promisify(gzip);

/** A shorter page fits into a packet. In characters. */
const MIN_COMPRESSED = 1_000;

/**
 * Whether the page was asked for from the console or by the person. The length of a compressed page tells what it has in
 * common with its address, so another site must not be able to have one made (BREACH).
 */
const isOwn = ({ headers }: FastifyRequest): boolean =>
  ['same-origin', 'none', undefined].includes(headers['sec-fetch-site'] as string | undefined);

const FLASH_SECONDS = 60;
const NO_PENDING_WORK: Waiting = { reviews: 0, unknown_emails: 0 };

/** Renders pages, with what every page needs: the operator, the time, the form token, the navigation. */
export default fp<{
  context: OperatorContext;
  navigation: readonly SectionGroup[];
  environmentLabel: EnvironmentLabel | undefined;
}>(
  async (app, { context, navigation, environmentLabel }) => {
    app.decorateRequest('shownAt', '');
    app.decorateReply('flash', function (this: FastifyReply, flash: Flash) {
      return this.writeCookie('flash', flashCookie(flash), FLASH_SECONDS);
    });
    app.decorate('pageWithoutRequest', (page: Child) =>
      render(page, {
        now: context.clock.now(),
        operator: null,
        url: '/',
        shownAt: undefined,
        formToken: '',
        flash: null,
        navigation: [],
        environmentLabel: undefined,
        asset: (name) => app.asset(name),
      }),
    );
    app.decorateReply('view', async function (this: FastifyReply, page: Child, statusCode = 200) {
      const { request } = this;
      const waiting = request.auth ? await countPendingWork(context) : NO_PENDING_WORK;
      const flash = request.readCookie('flash');
      if (flash !== undefined) this.writeCookie('flash', '', 0);
      const view: View = {
        now: context.clock.now(),
        operator: request.auth?.operator ?? null,
        url: request.shownAt || request.url,
        shownAt: request.shownAt || undefined,
        formToken: this.formToken(),
        flash: flash === undefined ? null : readFlash(flash),
        navigation: navigation
          .map(({ label, sections }) => ({
            label,
            entries: sections
              .filter(({ role }) => role === undefined || role === request.auth?.operator.role)
              .map((section) => ({ ...section, badge: section.badge?.(waiting) ?? 0 })),
          }))
          .filter(({ entries }) => entries.length > 0),
        environmentLabel: request.auth ? await environmentLabel?.() : undefined,
        asset: (name) => app.asset(name),
      };
      const html = render(page, view);
      this.code(statusCode).type('text/html; charset=utf-8').vary(['accept-encoding', 'sec-fetch-site']);
      if (html.length < MIN_COMPRESSED || !isOwn(request) || !takesGzip(request.headers['accept-encoding'])) {
        return this.send(html);
      }
      return this.header('content-encoding', 'gzip').send(await compress(html));
    });
  },
  { name: 'console-view', dependencies: ['@fastify/sensible', 'console-cookies'], fastify: '5.x' },
);

function render(page: Child, view: View): string {
  const html = (<ViewContext.Provider value={view}>{page}</ViewContext.Provider>).toString();
  // Async components would lose the context: pages read everything first.
  if (typeof html !== 'string') throw new Error('a page of the console has an async component');
  return `<!doctype html>${html}`;
}
