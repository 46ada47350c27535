import { fold, searchText } from './search-text.ts';

/** The descriptive fields of a service: its label, external reference and client. */
export interface Description {
  label: string | null;
  externalReference: string | null;
  clientName: string;
  clientEmail: string | null;
}

/** A service's description with its case-folded copies for searching. */
export const described = ({ label, externalReference, clientName, clientEmail }: Description) => ({
  label,
  externalReference,
  clientName,
  clientEmail,
  clientEmailFolded: clientEmail === null ? null : fold(clientEmail),
  searchText: searchText([label, clientName, externalReference]),
});
