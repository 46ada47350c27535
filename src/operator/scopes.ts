/** Every scope that a key can hold, for whoever shows them to choose from. */
export { SCOPES } from '../rules/scopes.ts';
