import type { FastifyInstance } from 'fastify';
import { endSession, mailConsoleLink, openSession, SESSION_LIFE_MS } from '../../src/operator/console-access.ts';
import { Field, PostForm } from '../components/form.tsx';
import { Bare } from '../components/layout.tsx';
import { createAttempts } from '../plugins/attempts.ts';
import { Problem } from '../problem.ts';
import { param } from '../query.ts';
import type { ConsoleOptions } from '../section.ts';

const WINDOW_MS = 15 * 60_000;

/** A person mistypes an address a few times; all people together rarely sign in so often in a quarter of an hour. */
const ASKING = { windowMs: WINDOW_MS, each: 10, all: 300 };

/** Links that do not work: nobody guesses 256 bits, and whoever tries shall not keep the database busy. */
const FAILING = { windowMs: WINDOW_MS, each: 20, all: 2_000 };

/** Mails under way at the same time; what is beyond waits for nobody and is dropped, for its sender can ask again. */
const MAX_MAILS = 20;

/** How one comes in: a link that works once, opened by a button so that a mail program's preview does not use it up. */
export async function signIn(app: FastifyInstance, { context, consoleUrl, sender, mails }: ConsoleOptions) {
  const asking = createAttempts({ clock: context.clock, ...ASKING });
  const failing = createAttempts({ clock: context.clock, ...FAILING });
  const underWay = new Set<Promise<void>>();
  app.addHook('onClose', async () => void (await Promise.all(underWay)));

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
    const wait = asking.take(request.ip);
    if (wait > 0) refuse(wait);
    const email = request.form.get('email').slice(0, 254);
    // Not in the answer's way: how long it takes must not tell whether the address is known.
    if (mails && underWay.size < MAX_MAILS) {
      const mail = mailConsoleLink(context, { email, consoleUrl, sender })
        .catch((error: unknown) => request.log.warn({ err: error }, 'a sign-in link could not be mailed'))
        .finally(() => underWay.delete(mail));
      underWay.add(mail);
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
      const wait = failing.take(request.ip);
      if (wait > 0) refuse(wait);
      throw new Problem(
        403,
        'This link does not work',
        'It was used already, or is older than 15 minutes. Ask for a new one.',
        { to: '/sign-in', label: 'Get a new link' },
      );
    }
    // Whoever was signed in here before is not any more: a session never changes hands.
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
}

function SignIn({ mails }: { mails: boolean }) {
  const command = 'broker console link --operator YOU@EXAMPLE.COM';
  if (!mails) {
    return (
      <Bare title="Sign in">
        <p>Sign in with a link. Whoever runs this server makes one with:</p>
        <pre class="command">{command}</pre>
        <p class="quiet">It works once, for 15 minutes. With a mail provider this page would mail it.</p>
      </Bare>
    );
  }
  return (
    <Bare title="Sign in">
      <PostForm action="/sign-in">
        <Field label="Email address" name="email" type="email" required maxlength={254} />
        <button type="submit" class="main">
          Mail me a link
        </button>
      </PostForm>
      <p class="quiet">No password: the link signs you in once, within 15 minutes.</p>
    </Bare>
  );
}

function Asked() {
  return (
    <Bare title="Look into your mail">
      <p>If the address is that of an operator, a link is on its way. It works once, for 15 minutes.</p>
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
