/** The records of the demo's brokers. Every date is in days from the creation of the demo. */

export const DEMO_BROKER = {
  slug: 'demo',
  name: 'Demo Hosting',
  contact: 'office@demo-hosting.example.com',
  sender: 'support@demo-hosting.example.com',
  recipients: ['accounts@demo-hosting.example.com'],
};

export const OTHER_BROKER = {
  slug: 'demo-other',
  name: 'Other Hosting',
  contact: 'office@other-hosting.example.net',
  sender: 'support@other-hosting.example.net',
};

const size = (vcpu: number, memoryGb: number, disk_gb: number, transfer_gb: number) => ({
  vcpu,
  memory_mb: memoryGb * 1024,
  disk_gb,
  transfer_gb,
});

export const DEMO_PLANS = [
  {
    slug: 'starter',
    display_name: 'Starter',
    upgrade_rank: 10,
    billing_type: 'monthly',
    description: 'A small server for a first site.',
    specifications: size(1, 2, 40, 1000),
    price: { amount: '6.00', currency: 'EUR' },
  },
  {
    slug: 'classic',
    display_name: 'Classic (2019)',
    upgrade_rank: 15,
    billing_type: 'monthly',
    active: false,
    description: 'No longer sold; a few clients still have it.',
    specifications: size(1, 4, 60, 1000),
    price: { amount: '9.00', currency: 'EUR' },
  },
  {
    slug: 'business',
    display_name: 'Business',
    upgrade_rank: 20,
    billing_type: 'monthly',
    description: 'Room for a shop and its database.',
    specifications: size(2, 8, 120, 3000),
    price: { amount: '18.00', currency: 'EUR' },
  },
  {
    slug: 'performance',
    display_name: 'Performance',
    upgrade_rank: 30,
    billing_type: 'monthly',
    description: 'For sites that many people visit at once.',
    specifications: size(4, 16, 240, 6000),
    price: { amount: '36.00', currency: 'EUR' },
  },
  {
    slug: 'dedicated',
    display_name: 'Dedicated Server',
    upgrade_rank: 40,
    billing_type: 'monthly',
    requires_operator_review: true,
    description: 'A machine of its own, made ready by hand.',
    specifications: size(16, 64, 960, 20000),
    price: { amount: '129.00', currency: 'EUR' },
  },
  {
    slug: 'flex-small',
    display_name: 'Flex Small',
    upgrade_rank: 10,
    billing_type: 'hourly',
    description: 'Billed by the hour.',
    specifications: size(1, 2, 40, 1000),
    price: { amount: '0.012', currency: 'EUR' },
  },
  {
    slug: 'flex-large',
    display_name: 'Flex Large',
    upgrade_rank: 20,
    billing_type: 'hourly',
    description: 'Billed by the hour.',
    specifications: size(4, 16, 160, 4000),
    price: { amount: '0.061', currency: 'EUR' },
  },
] as const;

export const OTHER_PLANS = [
  {
    slug: 'basic',
    display_name: 'Basic',
    upgrade_rank: 1,
    billing_type: 'monthly',
    specifications: size(1, 1, 20, 500),
    price: { amount: '4.90', currency: 'USD' },
  },
  {
    slug: 'plus',
    display_name: 'Plus',
    upgrade_rank: 2,
    billing_type: 'monthly',
    specifications: size(2, 4, 80, 2000),
    price: { amount: '14.90', currency: 'USD' },
  },
] as const;

export interface DemoService {
  number: number;
  label: string | null;
  client: string;
  /** Null: no address is known. */
  email: string | null;
  plan: string;
  status?: 'pending' | 'active' | 'suspended' | 'cancelled' | 'terminated';
  review?: boolean;
  created: number;
  renewal?: number;
  cancelled?: number;
}

export const DEMO_SERVICES: DemoService[] = [
  service(1000001, 'shop.example.com', 'Ada Example', 'starter', -400, { renewal: 12 }),
  service(1000002, 'blog.example.com', 'Ben Sample', 'business', -320, { renewal: 20 }),
  service(1000003, 'team.example.com', 'Clara Muster', 'performance', -300, { renewal: 5 }),
  service(1000004, 'archive.example.com', 'Dan Ejemplo', 'classic', -1500, { renewal: 28 }),
  service(1000005, 'render-1', 'Eva Esempio', 'flex-small', -40),
  service(1000006, 'render-2', 'Eva Esempio', 'flex-large', -38),
  // Two that cannot be warned: without an address, and with one that is none.
  service(1000007, 'noaddress.example.com', 'Finn Exemple', 'starter', -200, { renewal: 9, email: null }),
  service(1000008, 'badaddress.example.com', 'Greta Voorbeeld', 'starter', -190, {
    renewal: 9,
    email: 'greta at home',
  }),
  service(1000009, 'paused.example.com', 'Hal Example', 'starter', -180, { renewal: 3, status: 'suspended' }),
  service(1000010, 'render-3', 'Ida Przykład', 'flex-small', -25, { status: 'suspended' }),
  service(1000011, 'new.example.com', 'Jon Dæmi', 'business', -1, { status: 'pending' }),
  service(1000012, null, 'Kim Örnek', 'flex-small', -1, { status: 'pending' }),
  service(1000013, 'gone.example.com', 'Lea Beispiel', 'starter', -700, { status: 'cancelled', cancelled: -30 }),
  service(1000014, 'left.example.com', 'Max Beispiel', 'business', -650, { status: 'cancelled', cancelled: -90 }),
  service(1000015, 'ended.example.com', 'Nia Enghraifft', 'starter', -900, { status: 'terminated', cancelled: -200 }),
  service(1000016, 'render-4', 'Olu Apẹẹrẹ', 'flex-large', -110, { status: 'terminated', cancelled: -60 }),
  // Those that the requests below are about.
  service(1000017, 'wants-more.example.com', 'Pia Exempel', 'starter', -150, { renewal: 16 }),
  service(1000018, 'wants-out.example.com', 'Quinn Example', 'business', -140, { renewal: 22 }),
  service(1000019, 'review.example.com', 'Rosa Ejemplo', 'performance', -130, { renewal: 25 }),
  service(1000020, 'smaller-soon.example.com', 'Sven Eksempel', 'performance', -120, { renewal: 18 }),
  service(1000021, 'leaving.example.com', 'Tara Udaharan', 'starter', -115, { renewal: 14 }),
  service(1000022, 'grown.example.com', 'Udo Beispiel', 'business', -100, { renewal: 7 }),
  service(1000023, 'unlucky.example.com', 'Vera Primjer', 'starter', -95, { renewal: 11 }),
  service(1000024, 'fresh.example.com', 'Wim Voorbeeld', 'starter', -10, { renewal: 21 }),
  service(1000025, 'watched.example.com', 'Xenia Paradeigma', 'starter', -80, { renewal: 13, review: true }),
];

export const OTHER_SERVICES: DemoService[] = [
  service(1000101, 'www.example.net', 'Yara Example', 'basic', -60, { renewal: 15 }),
  service(1000102, 'mail.example.net', 'Zoe Example', 'plus', -50, { renewal: 10 }),
  service(1000103, 'old.example.net', 'Zoe Example', 'basic', -500, { status: 'cancelled', cancelled: -20 }),
];

function service(
  number: number,
  label: string | null,
  client: string,
  plan: string,
  created: number,
  rest: Pick<DemoService, 'status' | 'review' | 'renewal' | 'cancelled'> & { email?: string | null } = {},
): DemoService {
  const { email = `client-${number}@example.com`, ...others } = rest;
  return { number, label, client, email, plan, created, ...others };
}

/** Invoices: number, service, amount, status, and the days of issue, due date and payment. */
export const DEMO_INVOICES = [
  ['D-2001', 1000001, '6.00', 'paid', -78, -64, -70],
  ['D-2002', 1000001, '6.00', 'paid', -48, -34, -40],
  ['D-2003', 1000001, '6.00', 'open', -18, -4, null],
  ['D-2004', 1000002, '18.00', 'paid', -41, -27, -41],
  ['D-2005', 1000002, '18.00', 'open', -11, 3, null],
  ['D-2006', 1000003, '36.00', 'paid', -26, -12, -13],
  ['D-2007', 1000005, '7.94', 'open', -9, 5, null],
  ['D-2008', 1000006, '44.53', 'void', -9, 5, null],
  ['D-2009', 1000013, '6.00', 'open', -50, -36, null],
  ['D-2010', 1000022, '18.00', 'paid', -24, -10, -20],
] as const;

export const OTHER_INVOICES = [
  ['O-1', 1000101, '4.90', 'paid', -31, -17, -30],
  ['O-2', 1000102, '14.90', 'open', -6, 8, null],
] as const;
