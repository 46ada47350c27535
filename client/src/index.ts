export {
  type Answer,
  type BrokerClient,
  type Changes,
  type ChangesOptions,
  type ChangesState,
  type ClientOptions,
  createBrokerClient,
  type EachInit,
  type Facts,
  type GetPath,
  type Init,
  type Item,
  type ListPath,
  type PostPath,
  type RequestRecord,
  type ServiceRecord,
  type WaitOptions,
} from './client.ts';
export {
  type ApiFailure,
  BrokerError,
  type ClientFailure,
  type ErrorCode,
  type Failure,
  type FieldFault,
  failureOf,
  REASONS,
  STATUSES,
} from './errors.ts';
export type { Fetch } from './exchange.ts';
export type { components, operations, paths } from './generated/schema.ts';
