import type { FastifyReply, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { type ConsoleAuth, resumeSession, runFor } from '../../src/operator/people/console-access.ts';
import { mayAct, type ROLES } from '../../src/operator/people/operators.ts';
import type { UseCaseDeps } from '../../src/operator/use-case/use-case.ts';
import { SameSiteRedirect } from '../components/same-site-redirect.tsx';
import { MAX_COOKIE_LENGTH } from '../http/cookies.ts';
import { Problem } from '../http/problem.ts';
import { isOwnAddress } from '../http/query.ts';
import { createTokenLookups } from '../http/token-lookups.ts';

/** A route and the role that it needs. */
interface RoutePolicy {
  method: string;
  url: string;
  role: Role;
}

type Role = (typeof ROLES)[number] | 'public';

declare module 'fastify' {
  interface FastifyInstance {
    /** Every route of the console, for tests of access. */
    readonly routePolicies: RoutePolicy[];
    /** Looks up session cookies and links. */
    readonly tokenLookups: ReturnType<typeof createTokenLookups>;
  }
  interface FastifyContextConfig {
    /** The least role that may use the route; `public` needs no sign-in. */
    role?: Role;
  }
  interface FastifyRequest {
    /** The operator and the session; null before the sign-in. */
    auth: ConsoleAuth | null;
    /** The same on a route with a role. Throws on a public route before the sign-in. */
    signedIn: ConsoleAuth;
    /** What use cases need, with the operator as the actor of audit records. */
    context: UseCaseDeps;
  }
}

/**
 * Authentication and authorization: every route names the least role that may use it; a route without one does not
 * boot. Session and role are read at each request, so that a removal takes effect at once.
 */
export default fp<{ context: UseCaseDeps }>(
  async (app, { context }) => {
    app.decorateRequest('auth', null);
    app.decorateRequest('signedIn', {
      getter(this: FastifyRequest) {
        if (!this.auth) throw new Error('a public route asked for its signed-in operator');
        return this.auth;
      },
    });
    app.decorateRequest('context', {
      getter(this: FastifyRequest) {
        const { operator } = this.signedIn;
        return {
          ...context,
          actor: { kind: 'operator', name: operator.email, clientIp: this.ip },
        } satisfies UseCaseDeps;
      },
    });
    const tokenLookups = createTokenLookups();
    app.decorate('tokenLookups', tokenLookups);
    app.addHook('onRoute', ({ config, method, url }) => {
      const role = config?.role;
      if (!role) throw new Error(`the console's route ${method} ${url} does not say who may use it`);
      app.routePolicies.push({ method: String(method), url, role });
    });
    app.addHook('onRequest', async (request, reply) => {
      // A page of an unknown address has the navigation of who is signed in.
      const role = request.is404 ? 'public' : request.routeOptions.config.role;
      if (role === undefined) return;
      const token = request.readCookie('session');
      const { ip } = request;
      request.auth =
        token === undefined ? null : await tokenLookups.find(token, ip, () => resumeSession(context, { token, ip }));
      if (role === 'public') return;
      if (!request.auth) return requireSignIn(request, reply);
      if (!mayAct(request.auth.operator.role, role)) {
        throw new Problem(
          403,
          'Not allowed for your role',
          `This needs the role ${role}; yours is ${request.auth.operator.role}.`,
        );
      }
    });
    // The last hook before the page, so that all that the page reads is read for this operator.
    app.addHook('preHandler', (request, _reply, done) => {
      if (request.auth) runFor(request.auth, done);
      else done();
    });
  },
  { name: 'console-sessions', dependencies: ['console-cookies'], fastify: '5.x' },
);

/** Redirects to the sign-in page; a form is refused. */
function requireSignIn(request: FastifyRequest, reply: FastifyReply) {
  if (request.method !== 'GET') {
    throw new Problem(401, 'Your session has ended', 'Sign in again; nothing was changed.', {
      to: '/sign-in',
      label: 'Sign in',
    });
  }
  // Browsers do not send a strict cookie with a request from another site: a redirect of our own page sends it.
  if (request.headers['sec-fetch-site'] === 'cross-site') return reply.view(SameSiteRedirect({ to: request.url }));
  // Parts that scripts fetch are no pages to return to.
  const isPart = request.headers['sec-fetch-dest'] === 'empty' && request.headers['hx-boosted'] === undefined;
  if (!isPart && request.url.length <= MAX_COOKIE_LENGTH) reply.writeCookie('next', request.url, NEXT_SECONDS);
  // Of a browser that never signed in nothing has ended.
  if (!isPart && request.readCookie('session') !== undefined) {
    reply.flash({ tone: 'bad', text: 'You were signed out: your session has ended.' });
  }
  return reply.redirect('/sign-in', 303);
}

/** How long the page that was asked for is remembered: longer than a link takes to arrive and works. */
const NEXT_SECONDS = 3600;

/** The page that was asked for before the sign-in, on this site alone: no address that a browser reads as another host's. */
export function pageAfterSignIn(request: FastifyRequest): string {
  const next = request.readCookie('next') ?? '/';
  return isOwnAddress(next) ? next : '/';
}
