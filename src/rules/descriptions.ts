import { accessOf } from './access.ts';
import { fold, searchText } from './search-text.ts';
import { isEnded, type ServiceStatus } from './words.ts';

/** The descriptive fields of a service: its label, external reference and client. */
export interface Description {
  label: string | null;
  externalReference: string | null;
  clientName: string;
  clientEmail: string | null;
}

/** What else a search finds a service by. */
interface Place {
  status: ServiceStatus;
  /** In its column's form. */
  access: string | null;
}

/** A service's description with its case-folded copies for searching. */
export const described = (service: Description & Place) => ({
  label: service.label,
  externalReference: service.externalReference,
  clientName: service.clientName,
  clientEmail: service.clientEmail,
  ...searchable(service),
});

/** The case-folded copies alone. An ended service's address may belong to another client by now. */
export const searchable = ({
  label,
  externalReference,
  clientName,
  clientEmail,
  status,
  access,
}: Description & Place) => {
  const { hostname = null, ip_addresses = [] } = (isEnded(status) ? null : accessOf(access)) ?? {};
  return {
    clientEmailFolded: clientEmail === null ? null : fold(clientEmail),
    searchText: searchText([label, clientName, externalReference, hostname, ...ip_addresses]),
  };
};
