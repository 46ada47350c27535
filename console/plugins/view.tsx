import type { FastifyReply } from 'fastify';
import fp from 'fastify-plugin';
import type { Child } from 'hono/jsx';
import type { OperatorContext } from '../../src/operator/dependencies.ts';
import { countPendingWork, type Waiting } from '../../src/operator/pending-work.ts';
import { type View, ViewContext } from '../components/view.ts';
import { type Flash, readFlash } from '../flash.ts';
import type { Section } from '../section.ts';

declare module 'fastify' {
  interface FastifyReply {
    /** Sends a page: HTML made of an element, every text in it escaped. */
    view(page: Child, statusCode?: number): Promise<FastifyReply>;
    /** Tells the next page what was done. */
    flash(flash: Flash): FastifyReply;
  }
}

const FLASH_SECONDS = 60;
const NOTHING_WAITS: Waiting = { reviews: 0, unknown_emails: 0 };

/** Pages: what every page knows of the person and the moment, and how it is sent. */
export default fp<{ context: OperatorContext; sections: readonly Section[]; environmentLabel: string | undefined }>(
  async (app, { context, sections, environmentLabel }) => {
    app.decorateReply('flash', function (this: FastifyReply, flash: Flash) {
      return this.writeCookie('flash', Buffer.from(JSON.stringify(flash)).toString('base64url'), FLASH_SECONDS);
    });
    app.decorateReply('view', async function (this: FastifyReply, page: Child, statusCode = 200) {
      const { request } = this;
      const waiting = request.auth ? await countPendingWork(context) : NOTHING_WAITS;
      const told = request.readCookie('flash');
      if (told !== undefined) this.writeCookie('flash', '', 0);
      const view: View = {
        now: context.clock.now(),
        operator: request.auth?.operator ?? null,
        url: request.url,
        formToken: this.formToken(),
        flash: told === undefined ? null : readFlash(told),
        navigation: sections.map(({ label, path, badge }) => ({ label, path, badge: badge?.(waiting) ?? 0 })),
        environmentLabel,
        asset: (name) => app.asset(name),
      };
      const html = (<ViewContext.Provider value={view}>{page}</ViewContext.Provider>).toString();
      // Pages are made in one go of what was read before: an element that waits would mix up two people's views.
      if (typeof html !== 'string') throw new Error('a page of the console waits for something while it is made');
      return this.code(statusCode).type('text/html; charset=utf-8').send(`<!doctype html>${html}`);
    });
  },
  { name: 'console-view', dependencies: ['console-cookies'], fastify: '5.x' },
);
