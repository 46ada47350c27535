import { readFileSync } from 'node:fs';
import type { TemplateSource } from '../mail/templates.ts';
import type { ImportSource } from '../operator/files/read-file.ts';
import { DAY_MS } from '../rules/durations.ts';
import { isoTimestamp } from '../rules/timestamps.ts';
import { packageFile } from '../runtime/paths.ts';

/* The files of this folder that hold the demo's data: read when the demo is made, and only then. */

/** What brokers.json says of a broker. */
export interface DemoBroker {
  slug: string;
  /** Where its plans, services and invoices are. */
  folder: string;
  /** Whether offer.json is for its plans, and consumption.csv for its services. */
  has_offers?: boolean;
  has_consumption?: boolean;
  name: string;
  contact_email: string;
  sender_email: string;
  recipients: string[];
  /** The subjects of its templates by kind; the other parts are files. */
  subjects: Record<string, string>;
}

const readText = (name: string): string => readFileSync(packageFile(`src/demo/${name}`), 'utf8');

export const readJson = <T>(name: string): T => JSON.parse(readText(name)) as T;

export const readBrokers = () => readJson<Record<'demo' | 'other', DemoBroker>>('brokers.json');

/** A CSV file in the format of the imports, except for its dates: `day-3` is three days before `now`. */
export function readDemoImport(name: string, now: number): ImportSource {
  const text = readText(name).replace(/\bday([+-]\d+)/g, (_, days) =>
    isoTimestamp(now + Number(days) * DAY_MS).slice(0, 10),
  );
  return { name, content: Buffer.from(text) };
}

/** What services of some plans can be given and can do, as an import that leaves the rest of the plans as it is. */
export function readOffers(): ImportSource {
  const { plans, ...offer } = readJson<{ plans: string[] }>('offer.json');
  return { name: 'offers.json', content: Buffer.from(JSON.stringify(plans.map((slug) => ({ slug, ...offer })))) };
}

/** A broker's templates by kind. */
export const readTemplates = ({ folder, subjects }: DemoBroker): Array<[string, TemplateSource]> =>
  Object.entries(subjects).map(([kind, subject]) => [
    kind,
    { subject, html: readText(`${folder}/templates/${kind}.html`), text: readText(`${folder}/templates/${kind}.txt`) },
  ]);
