import type { Reason } from '../errors.ts';
import type { DocumentSchema } from './schemas.ts';

/** The parts of a route that the document describes; its schemas are those that validate and serialize. */
export interface DescribedRoute {
  method: string;
  /** The route's path, beginning with the API's prefix. */
  url: string;
  /** One of these is needed; empty: any key will do. */
  needs: readonly string[];
  schema: {
    operationId: string;
    tags: readonly string[];
    summary: string;
    description: string;
    /** The reasons for which the operation itself refuses, in the order of its checks. */
    reasons?: readonly Reason[];
    params?: DocumentSchema;
    querystring?: DocumentSchema;
    headers?: DocumentSchema;
    body?: DocumentSchema;
    response: Record<number, DocumentSchema>;
  };
}
