/** What the uid of a service is made of. */
export interface UidParts {
  uid: string | null;
  importId: string | null;
  brokerId: string;
  number: number;
}

/**
 * The `service_uid` of a service, unique in time where its number need not be (contract, section 15.3): the one that it was
 * given, by its creation or an import; else made of what its row has.
 * @param creationId the request that created it, where `uid` is null; null where there is none
 */
export function serviceUid({ uid, importId, brokerId, number }: UidParts, creationId: string | null): string {
  if (uid !== null) return uid;
  const isImported = importId !== null || creationId === null;
  return isImported ? `imported_${brokerId}_${number}` : `before_${creationId}`;
}
