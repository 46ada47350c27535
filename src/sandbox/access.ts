import type { Access } from '../rules/access.ts';
import type { Configuration } from '../rules/options.ts';

const panelOf = (number: number) => `https://panel.example.com/services/${number}`;

/** How the client reaches a service of the sandbox: documentation addresses (RFC 5737, RFC 3849), by its number. */
export const accessOfNumber = (number: number, { hostname }: Configuration = {}): Access => ({
  hostname: typeof hostname === 'string' ? hostname : `vps-${number}.example.com`,
  ip_addresses: [`192.0.2.${1 + (number % 254)}`, `2001:db8::${(number % 0x10000).toString(16)}`],
  username: 'root',
  login_url: panelOf(number),
  notes: null,
});

/** The same while a console is open. */
export const consoleOfNumber = (number: number, configuration: Configuration): Access => ({
  ...accessOfNumber(number, configuration),
  login_url: `${panelOf(number)}/console`,
});
