import type { CredentialsSource } from '../ports.ts';
import { accessOfNumber } from './access.ts';
import { behaviourOf } from './services.ts';

/** The logins of a sandbox's services (contract, section 12.9): made up, and always the same. */
export const simulatedCredentials: CredentialsSource = {
  async read(_caller, { service_number: number, service: { external_reference: externalReference } }) {
    if (behaviourOf({ number, externalReference }).noCredentials) return null;
    const { username, login_url: url } = accessOfNumber(number);
    return [{ display_name: 'Root login', username, password: 'a-made-up-password', private_key: null, url }];
  },
};
