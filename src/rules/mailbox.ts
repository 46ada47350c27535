/** An unquoted local part (RFC 5322, dot-atom); ASCII only, so that no header needs encoding. */
const LOCAL_PART = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/;

/** One label of a domain; internationalised names come as punycode. */
const LABEL = /^[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?$/;

/** What to do about a text that `isMailbox` refuses, to be put at the end of a message; empty where nothing is known. */
export const mailboxAdvice = (text: string): string =>
  /\P{ASCII}/u.test(text) ? ': an internationalised domain is written in punycode (xn--...)' : '';

/**
 * Whether a text is exactly one bare mailbox, `local@domain`: no display name, no list, nothing that a mail header
 * could read as more than one address (contract, section 6). At most 254 characters, 64 of them before the `@`;
 * the domain has at least two labels. Pure ASCII: quoted local parts and address literals are refused.
 */
export function isMailbox(text: string): boolean {
  if (text.length > 254) return false;
  const at = text.indexOf('@');
  const local = text.slice(0, Math.max(at, 0));
  const labels = text.slice(at + 1).split('.');
  return (
    local.length <= 64 && LOCAL_PART.test(local) && labels.length >= 2 && labels.every((label) => LABEL.test(label))
  );
}
