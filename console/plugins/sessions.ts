import type { FastifyReply, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { type ConsoleAuth, resumeSession } from '../../src/operator/console-access.ts';
import type { OperatorContext } from '../../src/operator/dependencies.ts';
import { mayAct, type ROLES } from '../../src/operator/operators.ts';
import { SameSiteRedirect } from '../pages/same-site-redirect.tsx';
import { Problem } from '../problem.ts';

/** A route, and who may use it. */
interface RoutePolicy {
  method: string;
  url: string;
  role: Role;
}

type Role = (typeof ROLES)[number] | 'public';

declare module 'fastify' {
  interface FastifyInstance {
    /** Every route of the console: for whoever checks that none stands open. */
    readonly routePolicies: RoutePolicy[];
  }
  interface FastifyContextConfig {
    /** Who may come here: the least role that may, or anybody. */
    role?: Role;
  }
  interface FastifyRequest {
    /** The person at work; null before the sign-in. */
    auth: ConsoleAuth | null;
    /** The person at work, where the page's role says that there is one. */
    signedIn: ConsoleAuth;
    /** The use cases' parts, in the visitor's name: what is changed with them stands so in the audit trail. */
    context: OperatorContext;
  }
}

/**
 * Who is there, and whether they may: every route says the least role that may come in, and a route that says nothing
 * does not boot. Role and session are looked up at each click, so that what was taken away is gone at once.
 */
export default fp<{ context: OperatorContext }>(
  async (app, { context }) => {
    app.decorateRequest('auth', null);
    app.decorateRequest('signedIn', {
      getter(this: FastifyRequest) {
        if (!this.auth) throw new Error('a page without a role asked for its visitor');
        return this.auth;
      },
    });
    app.decorateRequest('office', {
      getter(this: FastifyRequest) {
        const { operator } = this.signedIn;
        return {
          ...context,
          actor: { kind: 'operator', name: operator.email, clientIp: this.ip },
        } satisfies OperatorContext;
      },
    });
    const routePolicies: RoutePolicy[] = [];
    app.decorate('routePolicies', routePolicies);
    app.addHook('onRoute', ({ config, method, url }) => {
      const role = config?.role;
      if (!role) throw new Error(`the console's route ${method} ${url} does not say who may use it`);
      routePolicies.push({ method: String(method), url, role });
    });
    app.addHook('onRequest', async (request, reply) => {
      const { role } = request.routeOptions.config;
      if (role === undefined) return;
      const token = request.readCookie('session');
      request.auth = token === undefined ? null : await resumeSession(context, { token, ip: request.ip });
      if (role === 'public') return;
      if (!request.auth) return requireSignIn(request, reply);
      if (!mayAct(request.auth.operator.role, role)) {
        throw new Problem(
          403,
          'Not for your role',
          `This needs the role ${role}; yours is ${request.auth.operator.role}.`,
        );
      }
    });
  },
  { name: 'console-sessions', dependencies: ['console-cookies'], fastify: '5.x' },
);

/** Whoever is not signed in is led to the sign-in page. */
function requireSignIn(request: FastifyRequest, reply: FastifyReply) {
  if (request.method !== 'GET') {
    throw new Problem(401, 'Your session has ended', 'Sign in again; nothing was changed.', {
      to: '/sign-in',
      label: 'Sign in',
    });
  }
  // Who follows a link from elsewhere may well be signed in: browsers keep a strict cookie back on such a step, and
  // send it on the next one, which is our own page's.
  if (request.headers['sec-fetch-site'] === 'cross-site') return reply.view(SameSiteRedirect({ to: request.url }));
  return reply.redirect('/sign-in', 303);
}
