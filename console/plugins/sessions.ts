import type { FastifyReply, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { resumeSession, type Visit } from '../../src/operator/console-access.ts';
import type { Office } from '../../src/operator/dependencies.ts';
import { mayAct, type ROLES } from '../../src/operator/operators.ts';
import { Interlude } from '../pages/interlude.tsx';
import { Problem } from '../problem.ts';

/** A route, and who may use it. */
interface Door {
  method: string;
  url: string;
  role: Role;
}

type Role = (typeof ROLES)[number] | 'anybody';

declare module 'fastify' {
  interface FastifyInstance {
    /** Every route of the console: for whoever checks that none stands open. */
    readonly doors: Door[];
  }
  interface FastifyContextConfig {
    /** Who may come here: the least role that may, or anybody. */
    role?: Role;
  }
  interface FastifyRequest {
    /** The person at work; null before the sign-in. */
    visit: Visit | null;
    /** The person at work, where the page's role says that there is one. */
    visitor: Visit;
    /** The use cases' parts, in the visitor's name: what is changed with them stands so in the audit trail. */
    office: Office;
  }
}

/**
 * Who is there, and whether they may: every route says the least role that may come in, and a route that says nothing
 * does not boot. Role and session are looked up at each click, so that what was taken away is gone at once.
 */
export default fp<{ office: Office }>(
  async (app, { office }) => {
    app.decorateRequest('visit', null);
    app.decorateRequest('visitor', {
      getter(this: FastifyRequest) {
        if (!this.visit) throw new Error('a page without a role asked for its visitor');
        return this.visit;
      },
    });
    app.decorateRequest('office', {
      getter(this: FastifyRequest) {
        const { operator } = this.visitor;
        return { ...office, actor: { kind: 'operator', name: operator.email, clientIp: this.ip } } satisfies Office;
      },
    });
    const doors: Door[] = [];
    app.decorate('doors', doors);
    app.addHook('onRoute', ({ config, method, url }) => {
      const role = config?.role;
      if (!role) throw new Error(`the console's route ${method} ${url} does not say who may use it`);
      doors.push({ method: String(method), url, role });
    });
    app.addHook('onRequest', async (request, reply) => {
      const { role } = request.routeOptions.config;
      if (role === undefined) return;
      const token = request.kept('session');
      request.visit = token === undefined ? null : await resumeSession(office, { token, ip: request.ip });
      if (role === 'anybody') return;
      if (!request.visit) return letIn(request, reply);
      if (!mayAct(request.visit.operator.role, role)) {
        throw new Problem(
          403,
          'Not for your role',
          `This needs the role ${role}; yours is ${request.visit.operator.role}.`,
        );
      }
    });
  },
  { name: 'console-visits', dependencies: ['console-cookies'], fastify: '5.x' },
);

/** Whoever is not signed in is led to the sign-in page. */
function letIn(request: FastifyRequest, reply: FastifyReply) {
  if (request.method !== 'GET') {
    throw new Problem(401, 'Your session has ended', 'Sign in again; nothing was changed.', {
      to: '/sign-in',
      label: 'Sign in',
    });
  }
  // Who follows a link from elsewhere may well be signed in: browsers keep a strict cookie back on such a step, and
  // send it on the next one, which is our own page's.
  if (request.headers['sec-fetch-site'] === 'cross-site') return reply.view(Interlude({ to: request.url }));
  return reply.redirect('/sign-in', 303);
}
