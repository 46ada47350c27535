import cookie from '@fastify/cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';

/** The console's cookies. Scripts cannot read them, and other sites' requests do not carry them. */
export type CookieName = 'session' | 'form' | 'flash' | 'next';

declare module 'fastify' {
  interface FastifyRequest {
    readCookie(name: CookieName): string | undefined;
  }
  interface FastifyReply {
    /** Sets a cookie for some seconds; an empty value removes it. */
    writeCookie(name: CookieName, value: string, seconds: number): FastifyReply;
  }
}

/** Longer than any cookie of the console: longer values are ignored. */
export const MAX_COOKIE_LENGTH = 1_000;

/** Over HTTPS cookies have the `__Host-` prefix: other hosts of the domain, and plain HTTP, cannot set them. */
export default fp(
  async (app) => {
    await app.register(cookie);
    app.decorateRequest('readCookie', function (this: FastifyRequest, name: CookieName) {
      // A request that is refused before its cookies are read has none.
      const cookies: Record<string, string | undefined> | undefined = this.cookies;
      const value = cookies?.[nameOf(this, name)];
      return value && value.length <= MAX_COOKIE_LENGTH ? value : undefined;
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
