/** What the pages refer operators to, and what these refer to; the guides of callers stand beside their APIs. */
export const DOCUMENTS = ['operate', 'parts', 'recipes', 'provisioner', 'imports'] as const;

export type DocumentName = (typeof DOCUMENTS)[number];
