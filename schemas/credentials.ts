import { Type } from '@sinclair/typebox';
import {
  MAX_CREDENTIAL_URL,
  MAX_CREDENTIAL_USERNAME,
  MAX_CREDENTIALS,
  MAX_DISPLAY_NAME,
  MAX_PASSWORD,
  MAX_PRIVATE_KEY,
} from '../src/rules/credentials.ts';
import { ListOf, Named, Nullable, ServiceNumber, Shown, SimulationMarks, Timestamp } from './atoms.ts';

const Credential = Type.Object(
  {
    display_name: Shown(MAX_DISPLAY_NAME, 'What people call it', { examples: ['Root login'] }),
    username: Nullable(Shown(MAX_CREDENTIAL_USERNAME, 'The name to sign in with'), { examples: ['root'] }),
    password: Nullable(Shown(MAX_PASSWORD, 'Show it and keep it nowhere'), { examples: ['a-made-up-password'] }),
    private_key: Nullable(Shown(MAX_PRIVATE_KEY, 'The same, of a key'), { examples: [null] }),
    url: Nullable(Shown(MAX_CREDENTIAL_URL, 'Where it is used'), {
      examples: ['https://panel.example.com/services/900001'],
    }),
  },
  { component: 'Credential' },
);

/** GET /v1/services/{service_number}/credentials. */
export const ServiceCredentials = Named('ServiceCredentials', {
  service_number: ServiceNumber,
  credentials: ListOf(Credential, { minItems: 1, maxItems: MAX_CREDENTIALS }),
  read_date: Timestamp('When they were read; each call reads them anew.'),
  ...SimulationMarks,
});
