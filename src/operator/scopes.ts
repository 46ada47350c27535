/** Every scope that a key can hold. */
export { SCOPES } from '../rules/scopes.ts';
