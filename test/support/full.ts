/**
 * Whether the full run was asked for with `TEST_FULL=1`. Without it a test that repeats a check in many variants, such as
 * screen sizes, leaves out those that rarely find anything new.
 */
export const full: boolean = process.env.TEST_FULL === '1';
