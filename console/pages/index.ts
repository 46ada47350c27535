import type { Routes, Section, SectionGroup } from '../http/section.ts';
import { auditPage } from './audit.tsx';
import { brokers } from './brokers.tsx';
import { calls } from './calls.tsx';
import { emails } from './emails.tsx';
import { imports } from './imports.tsx';
import { invoices } from './invoices.tsx';
import { machines } from './machines.tsx';
import { notices } from './notices.tsx';
import { operatorKeys } from './operator-keys.tsx';
import { operators } from './operators.tsx';
import { overview } from './overview.tsx';
import { plans } from './plans.tsx';
import { requestsPage } from './requests.tsx';
import { searchPage } from './search.tsx';
import { servicesPage } from './services.tsx';
import { sessions } from './sessions.tsx';
import { signIn } from './sign-in.tsx';
import { system } from './system.tsx';
import { templates } from './templates.tsx';
import { usage } from './usage.tsx';

const PEOPLE: Section = { label: 'People', path: '/operators', role: 'admin', routes: operators };

/** The navigation in its order. */
export const NAVIGATION: readonly SectionGroup[] = [
  { label: 'What is going on', sections: [overview, requestsPage, calls, emails] },
  { label: 'What is sold', sections: [brokers, plans, servicesPage, templates, imports] },
  { label: 'The installation', sections: [usage, machines, auditPage, PEOPLE, notices, operatorKeys, system] },
];

export const SECTIONS: readonly Section[] = NAVIGATION.flatMap(({ sections }) => sections);

/** Pages that are not in the navigation. */
export const UNLISTED: readonly Routes[] = [signIn, searchPage, sessions, invoices];
