import { randomBytes } from 'node:crypto';

/** The field with a form's own name, new each time the form is shown. */
export const FORM_NAME = 'form_name';

/** Forms that are remembered, over all people: each was sent by a click of an admin. */
const REMEMBERED = 1_000;

const NAME_LENGTH = 16;

/** A name that no form had before. */
export const newFormName = (): string => randomBytes(NAME_LENGTH).toString('base64url').slice(0, NAME_LENGTH);

/**
 * Forms that were sent, by their names: one whose answer shows what is shown once cannot lead on to another page, and a
 * reload of the answer sends it again.
 */
export class SentForms {
  private readonly names = new Set<string>();

  /** False for one that was sent before, and not forgotten. */
  begin(given: string): boolean {
    const name = given.slice(0, NAME_LENGTH);
    if (this.names.has(name)) return false;
    // A Set keeps the order in which its values came.
    if (this.names.size === REMEMBERED) this.names.delete([...this.names][0] as string);
    this.names.add(name);
    return true;
  }

  /** For one that was refused: whoever goes back to it and mends it has shown nobody anything yet. */
  forget(given: string): void {
    this.names.delete(given.slice(0, NAME_LENGTH));
  }
}
