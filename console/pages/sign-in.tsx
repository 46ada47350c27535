import { endSession, mailConsoleLink, openSession, SESSION_LIFE_MS } from '../../src/operator/console-access.ts';
import { Field, PostForm, Submit } from '../components/form.tsx';
import { Bare } from '../components/layout.tsx';
import { createAttempts } from '../plugins/attempts.ts';
import { Problem } from '../problem.ts';
import { param } from '../query.ts';
import type { Routes } from '../section.ts';

const WINDOW_MS = 15 * 60_000;

/** Requests for a link: of one address, and of all. */
const LINK_REQUESTS = { windowMs: WINDOW_MS, perName: 10, total: 300 };

/** Links that do not work: the limits spare the database, for 256 bits cannot be guessed. */
const FAILURES = { windowMs: WINDOW_MS, perName: 20, total: 2_000 };

/** Emails sent at the same time; more are dropped, and the person can ask again. */
const MAX_MAILS = 20;

/** Sign-in by a link that works once. A button opens it, so that an email program's preview does not use it up. */
export const signIn: Routes = async (app, { context, consoleUrl, sender, mails }) => {
  const linkRequests = createAttempts({ clock: context.clock, ...LINK_REQUESTS });
  const failures = createAttempts({ clock: context.clock, ...FAILURES });
  const sending = new Set<Promise<void>>();
  app.addHook('onClose', async () => void (await Promise.all(sending)));

  const refuse = (seconds: number) => {
    const minutes = Math.ceil(seconds / 60);
    throw new Problem(
      429,
      'Too many attempts',
      `Try again in ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}.`,
      { to: '/sign-in', label: 'Back' },
      seconds,
    );
  };

  app.get('/sign-in', { config: { role: 'public' } }, async (request, reply) =>
    request.auth ? reply.redirect('/', 303) : reply.view(<SignIn mails={mails} />),
  );

  app.post('/sign-in', { config: { role: 'public' } }, async (request, reply) => {
    const wait = linkRequests.take(request.ip);
    if (wait > 0) refuse(wait);
    const email = request.form.get('email').slice(0, 254);
    // Not awaited: the response time must not tell whether the address is known.
    if (mails && sending.size < MAX_MAILS) {
      const mail = mailConsoleLink(context, { email, consoleUrl, sender })
        .catch((error: unknown) => request.log.warn({ err: error }, 'a sign-in link could not be mailed'))
        .finally(() => sending.delete(mail));
      sending.add(mail);
    }
    return reply.view(<Asked />);
  });

  app.get('/sign-in/:token', { config: { role: 'public' } }, async (request, reply) =>
    reply.view(<OpenLink token={param(request, 'token')} />),
  );

  app.post('/sign-in/:token', { config: { role: 'public' } }, async (request, reply) => {
    const opened = await openSession(context, {
      linkToken: param(request, 'token'),
      ip: request.ip,
      userAgent: request.headers['user-agent'],
    });
    if (!opened) {
      const wait = failures.take(request.ip);
      if (wait > 0) refuse(wait);
      throw new Problem(
        403,
        'This link does not work',
        'It was used already, or is older than 15 minutes. Ask for a new one.',
        { to: '/sign-in', label: 'Get a new link' },
      );
    }
    // The previous session of this browser ends.
    const before = request.auth;
    if (before) {
      await endSession(request.context, { email: before.operator.email, sessionId: before.session.session_id });
    }
    return reply
      .writeCookie('form', '', 0)
      .writeCookie('session', opened.token, SESSION_LIFE_MS / 1000)
      .redirect('/', 303);
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
        <p>Sign in with a link. An administrator of this server creates one with:</p>
        <pre class="command">{command}</pre>
        <p class="quiet">It works once, for 15 minutes. With an email provider this page can send it.</p>
      </Bare>
    );
  }
  return (
    <Bare title="Sign in">
      <PostForm action="/sign-in">
        <Field label="Email address" name="email" type="email" required maxlength={254} />
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
