import type { FastifyRequest } from 'fastify';
import {
  createMailedLink,
  endSession,
  findConsoleLink,
  mailConsoleLink,
  openSession,
  SESSION_LIFE_MS,
} from '../../src/operator/people/console-access.ts';
import { MINUTE_MS } from '../../src/rules/durations.ts';
import { addressBucket } from '../../src/rules/ip-rules.ts';
import { PostForm, Submit, TextField } from '../components/form.tsx';
import { Bare } from '../components/layout.tsx';
import { createLinkMails } from '../forms/link-mails.ts';
import { Problem } from '../http/problem.ts';
import { readParam } from '../http/query.ts';
import type { Routes } from '../http/section.ts';
import { pageAfterSignIn } from '../plugins/sessions.ts';

const WINDOW_MS = 15 * MINUTE_MS;

/** By address (IPv6 /64): a limit over all would let a stranger lock operators out. */
const OF_ADDRESS = { timeWindow: WINDOW_MS, keyGenerator: ({ ip }: FastifyRequest) => addressBucket(ip) };

const MAX_LINK_REQUESTS = 10;

/** Links that do not work. */
const MAX_FAILURES = 20;

/** Sign-in by a link that works once. A button opens it, so that an email program's preview does not use it up. */
export const signIn: Routes = async (app, { context, consoleUrl, sender, mails: canMail }) => {
  const countLinkRequest = app.createRateLimit({ ...OF_ADDRESS, max: MAX_LINK_REQUESTS });
  const countFailure = app.createRateLimit({ ...OF_ADDRESS, max: MAX_FAILURES });
  const mails = createLinkMails({
    make: (email) => createMailedLink(context, { email, consoleUrl }),
    send: (link) => mailConsoleLink(context, { ...link, sender }),
    onError: (error) => app.log.warn({ err: error }, 'a sign-in link could not be mailed'),
  });
  app.addHook('onClose', () => mails.close());

  const refuseBeyond = (window: Awaited<ReturnType<typeof countFailure>>) => {
    if (window.isAllowed || !window.isExceeded) return;
    const minutes = Math.ceil(window.ttlInSeconds / 60);
    throw new Problem(
      429,
      'Too many attempts',
      `Try again in ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}.`,
      { to: '/sign-in', label: 'Back' },
      window.ttlInSeconds,
    );
  };

  app.get('/sign-in', { config: { role: 'public' } }, async (request, reply) =>
    request.auth ? reply.redirect('/', 303) : reply.view(<SignIn mails={canMail} />),
  );

  app.post('/sign-in', { config: { role: 'public' } }, async (request, reply) => {
    refuseBeyond(await countLinkRequest(request));
    if (canMail) mails.ask(request.form.get('email').slice(0, 254));
    return reply.view(<Asked />);
  });

  app.get('/sign-in/:token', { config: { role: 'public' } }, async (request, reply) =>
    reply.view(<OpenLink token={readParam(request, 'token')} />),
  );

  app.post('/sign-in/:token', { config: { role: 'public' } }, async (request, reply) => {
    const linkToken = readParam(request, 'token');
    // A read before the write: only a link that exists costs a transaction.
    const link = await app.tokenLookups.find(linkToken, request.ip, () => findConsoleLink(context, linkToken));
    const opened =
      link &&
      (await openSession(context, {
        linkToken,
        ip: request.ip,
        userAgent: request.headers['user-agent'],
        // The previous session of this browser ends.
        before: request.auth,
      }));
    if (!opened) {
      refuseBeyond(await countFailure(request));
      throw new Problem(
        403,
        'This link does not work',
        'It was used already, or is older than 15 minutes. Ask for a new one.',
        { to: '/sign-in', label: 'Get a new link' },
      );
    }
    app.tokenLookups.remember(opened.token);
    return reply
      .writeCookie('form', '', 0)
      .writeCookie('next', '', 0)
      .writeCookie('session', opened.token, SESSION_LIFE_MS / 1000)
      .redirect(pageAfterSignIn(request), 303);
  });

  app.post('/sign-out', { config: { role: 'viewer' } }, async (request, reply) => {
    const { operator, session } = request.signedIn;
    await endSession(request.context, { email: operator.email, sessionId: session.session_id });
    return reply.writeCookie('session', '', 0).redirect('/sign-in', 303);
  });
};

function SignIn({ mails }: { mails: boolean }) {
  const command = 'broker console link --operator YOU@EXAMPLE.COM';
  if (!mails) {
    return (
      <Bare title="Sign in">
        <p>Sign in with a link. An admin creates one on the page People, or on the server with:</p>
        <pre class="command">{command}</pre>
        <p class="quiet">It works once, for 15 minutes. With an email provider this page can send it.</p>
      </Bare>
    );
  }
  return (
    <Bare title="Sign in">
      <PostForm action="/sign-in">
        <TextField label="Email address" name="email" type="email" required maxlength={254} />
        <Submit tone="main">Email me a link</Submit>
      </PostForm>
      <p class="quiet">No password: the link signs you in once, within 15 minutes.</p>
    </Bare>
  );
}

function Asked() {
  return (
    <Bare title="Check your email">
      <p>If the address is that of an operator, a link was sent. It works once, for 15 minutes.</p>
      <p>
        <a href="/sign-in">Try another address</a>
      </p>
    </Bare>
  );
}

function OpenLink({ token }: { token: string }) {
  return (
    <Bare title="Sign in">
      <p>This link signs you in on this device. It works once.</p>
      <PostForm action={`/sign-in/${encodeURIComponent(token)}`}>
        <button type="submit" class="main" autofocus>
          Sign in
        </button>
      </PostForm>
    </Bare>
  );
}
