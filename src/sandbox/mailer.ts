import { type Mailer, MailFailure } from '../ports.ts';
import type { Behaviour } from './services.ts';

/** Sends nothing, and fails as the behaviour says. */
export const simulatedMailer = (warning: Behaviour['warning']): Mailer => ({
  maxMessageBytes: 10_000_000,
  async send() {
    if (warning === 'rejected')
      throw new MailFailure(warning, 'the simulated provider refuses', { providerCode: '406' });
    if (warning === 'outcome_unknown') throw new MailFailure(warning, 'the simulated provider does not answer');
    if (warning === 'unreachable') {
      throw new MailFailure(warning, 'the simulated provider is away', { retryable: true });
    }
    return { messageId: 'simulated' };
  },
});
