/** What an operator asked for cannot be done. The message is one line for the terminal. */
export class OperatorError extends Error {
  override readonly name: string = 'OperatorError';
}

/** A file that was refused as a whole; nothing of it was written. The message is the summary. */
export class ImportError extends OperatorError {
  override readonly name = 'ImportError';
  /** One line for each faulty record, in the file's order: where it stands, and its faulty fields. */
  readonly faults: readonly string[];

  constructor(summary: string, faults: readonly string[]) {
    super(summary);
    this.faults = faults;
  }
}
