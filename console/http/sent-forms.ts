import { randomBytes } from 'node:crypto';

/** The field with the form token, which `plugins/forms.ts` checks. */
export const TOKEN_FIELD = 'form_token';

/** The field with a form's unique name, new each time the form is shown. */
export const FORM_NAME = 'form_name';

/** Names kept at the same time. */
const MAX_NAMES = 1_000;

const NAME_LENGTH = 16;

/** A random name. */
export const newFormName = (): string => randomBytes(NAME_LENGTH).toString('base64url').slice(0, NAME_LENGTH);

/**
 * The names of forms that were sent. A form whose answer shows a secret cannot redirect, so that a reload would send it
 * again.
 */
export class SentForms {
  private readonly names = new Set<string>();

  /** Returns false for a form that was sent before. */
  begin(given: string): boolean {
    const name = given.slice(0, NAME_LENGTH);
    if (this.names.has(name)) return false;
    // A Set keeps the order of insertion.
    if (this.names.size === MAX_NAMES) this.names.delete([...this.names][0] as string);
    this.names.add(name);
    return true;
  }

  /** Allows a form that was refused to be sent again. */
  forget(given: string): void {
    this.names.delete(given.slice(0, NAME_LENGTH));
  }
}
