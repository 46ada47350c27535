/* Values that Proxmox takes and that go wrong later, and what a plan names that is not there. */
import { Failure } from './provisioning.mjs';

const LONGEST_HOSTNAME = 64;
/** Proxmox writes a host name into YAML as it is: cloud-init reads these as truth values, nothing, numbers or dates. */
const OTHERWISE =
  /^(y|yes|n|no|on|off|true|false|null|0b[01]+|0x[0-9a-f]+|0o[0-7]+|\d+|\d+e[+-]?\d+|\d{4}-\d\d?-\d\d?)$/i;

/** In words of Proxmox: a template, a node, a storage or a bridge. */
export const NOT_THERE =
  /(file|storage|bridge) '[^']*' does not exist|no such (cluster )?node|hostname lookup '[^']*' failed|: 596 /i;

/** A fault of the operator's. The words are Proxmox's, for the log alone. */
export function notSetUp(message, words = message) {
  console.error(`plan_not_set_up: ${words}`);
  return new Failure('plan_not_set_up', message, { retryable: true });
}

export function hostnameOf({ service_number: number, type }, { hostname = `vps-${number}` }) {
  const [label] = hostname.split('.');
  if (OTHERWISE.test(label) || hostname.length > LONGEST_HOSTNAME) {
    const service_usable = type !== 'service-creation';
    throw new Failure('values_refused', 'The host name is too long, or no word to YAML', { service_usable });
  }
  return hostname;
}

/** The type and the body of a key: a comment may hold what YAML reads otherwise, and then no key would be let in. */
export const keyOf = (key) => key.trim().split(/\s+/).slice(0, 2).join(' ');
