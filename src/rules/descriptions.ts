import { fold, searchText } from './search-text.ts';

/** What a service is called, and whose it is. */
export interface Description {
  label: string | null;
  externalReference: string | null;
  clientName: string;
  clientEmail: string | null;
}

/** A service's description with the copies that are prepared for finding it without regard to case. */
export const described = ({ label, externalReference, clientName, clientEmail }: Description) => ({
  label,
  externalReference,
  clientName,
  clientEmail,
  clientEmailFolded: clientEmail === null ? null : fold(clientEmail),
  searchText: searchText([label, clientName, externalReference]),
});
