import type { OpenAPIV3_1 } from 'openapi-types';
import { createWorld } from '../test/support/world.ts';

/** The interface description as the server of this tree publishes it. */
export async function currentDocument(): Promise<OpenAPIV3_1.Document> {
  const world = await createWorld({ onFile: true });
  try {
    return (await world.app.inject({ url: '/api/openapi.json' })).json();
  } finally {
    await world.close();
  }
}
