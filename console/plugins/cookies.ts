import cookie from '@fastify/cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';

/** What the console keeps in a browser. None of it is readable by a script or sent along from another site. */
export type CookieName = 'session' | 'form' | 'flash';

declare module 'fastify' {
  interface FastifyRequest {
    readCookie(name: CookieName): string | undefined;
  }
  interface FastifyReply {
    /** Keeps a value for so many seconds; forgets it at once with an empty text. */
    writeCookie(name: CookieName, value: string, seconds: number): FastifyReply;
  }
}

/** Longer than anything that is kept: what a stranger makes up is not looked at. */
const MAX_LENGTH = 1_000;

/**
 * Cookies of this host alone. Over HTTPS they bear the `__Host-` prefix, which keeps other hosts of the domain, and
 * plain HTTP, from setting them.
 */
export default fp(
  async (app) => {
    await app.register(cookie);
    app.decorateRequest('readCookie', function (this: FastifyRequest, name: CookieName) {
      const value = this.cookies[nameOf(this, name)];
      return value && value.length <= MAX_LENGTH ? value : undefined;
    });
    app.decorateReply('writeCookie', function (this: FastifyReply, name: CookieName, value: string, seconds: number) {
      const secure = this.request.protocol === 'https';
      return this.setCookie(nameOf(this.request, name), value, {
        path: '/',
        httpOnly: true,
        sameSite: 'strict',
        secure,
        maxAge: value === '' ? 0 : seconds,
      });
    });
  },
  { name: 'console-cookies', fastify: '5.x' },
);

const nameOf = ({ protocol }: FastifyRequest, name: CookieName): string =>
  `${protocol === 'https' ? '__Host-' : ''}broker_console_${name}`;
