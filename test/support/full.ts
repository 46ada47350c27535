/** Whether the long tests run too: every round, every storm, every look. `.ci/full` sets it. */
export const full: boolean = process.env.TEST_FULL === '1';
