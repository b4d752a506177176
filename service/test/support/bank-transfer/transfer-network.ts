import { randomUUID } from 'node:crypto';
import { createBankTransferNetwork } from '#e-transfer/bank-transfer/bank-transfer-network.ts';
import type {
  CreditorAccount,
  ETransferNetwork,
  NetworkListener,
  NetworkRequest,
  NetworkSurroundings,
} from '#e-transfer/e-transfer-network.ts';
import type { BankSettings } from '#lib/bank/bank-settings.ts';
import { createTestDatabase, type TestDatabase } from '../database.ts';
import { createFakeClock, type FakeClock } from '../fake-clock.ts';

/** IBANs of the registry's examples, which belong to nobody. */
export const IBANS = {
  german: 'DE89370400440532013000',
  austrian: 'AT611904300234573201',
  czech: 'CZ6508000000192000145399',
  swiss: 'CH9300762011623852957',
  /** A QR-IBAN: its institution number is 31999. */
  swissQr: 'CH4431999123000889012',
} as const;

/** The bank-transfer network alone, with a database and a merchant. */
export interface TransferNetwork {
  readonly network: ETransferNetwork;
  readonly database: TestDatabase;
  readonly clock: FakeClock;
  /** The steps that payers took, as `STEP id`. */
  readonly steps: string[];
  /** Moves this clock and the database's. */
  advance(milliseconds: number): Promise<void>;
  /** A new version of the merchant's account. */
  addAccount(iban?: string, holder?: string): Promise<CreditorAccount>;
  /** Creates the request, and answers the path of its page. */
  create(request: NetworkRequest): Promise<string>;
  stop(): Promise<void>;
}

const MERCHANT = 'mer_test';

const SETTINGS: BankSettings = {
  filesDir: null,
  refundsDir: null,
  connections: [],
  programRelease: 'person',
  calendar: 'TARGET',
  keepDays: 30,
  maxAutomaticCents: 1_000_000,
  isDemo: false,
};

export async function startTransferNetwork(
  settings: Partial<BankSettings> = {},
): Promise<TransferNetwork> {
  const clock = createFakeClock();
  const database = await createTestDatabase('production', clock.now());
  await database.sql(
    `INSERT INTO merchants (id, name, listener_username, listener_password_encrypted,
       signing_secret_encrypted) VALUES ($1, 'Harbour Books', 'u', '\\x00', '\\x00')`,
    [MERCHANT],
  );
  const steps: string[] = [];
  const network = createBankTransferNetwork({ ...SETTINGS, ...settings })({
    ...surroundingsOf(database, clock),
    listener: {
      noteStep: (id, step) => void steps.push(`${step} ${id}`),
    } as NetworkListener,
  });
  return {
    network,
    database,
    clock,
    steps,
    async advance(milliseconds) {
      clock.advance(milliseconds);
      await database.setNow(clock.now());
    },
    addAccount: (iban = IBANS.german, holder = 'Harbour Books GmbH') =>
      addAccount(database, iban, holder),
    async create(request) {
      const { payerUrl } = await network.createRequest(request, new AbortController().signal);
      return new URL(payerUrl).pathname;
    },
    stop: () => database.drop(),
  };
}

/** The parts of the surroundings that a network without loops uses. */
export function surroundingsOf(
  { db }: TestDatabase,
  clock: FakeClock,
): Omit<NetworkSurroundings, 'listener'> {
  const silent = new Proxy({}, { get: () => () => {} });
  return {
    db,
    clock,
    log: silent as NetworkSurroundings['log'],
    metrics: silent as NetworkSurroundings['metrics'],
    publicOrigin: 'https://pay.example',
    cell: 1,
    secretsKey: { current: Buffer.alloc(32), previous: null } as never,
    currency: 'EUR',
    timeZone: 'Europe/Berlin',
  };
}

async function addAccount(
  { sql }: TestDatabase,
  iban: string,
  holder: string,
): Promise<CreditorAccount> {
  const id = randomUUID();
  await sql('INSERT INTO creditor_account_keys VALUES ($1, $2) ON CONFLICT DO NOTHING', [
    iban,
    MERCHANT,
  ]);
  await sql('UPDATE creditor_accounts SET replaced_at = service_now() WHERE replaced_at IS NULL');
  await sql(
    `INSERT INTO creditor_accounts (id, merchant_id, version, holder, account_number)
     SELECT $1, $2, count(*) + 1, $3, $4 FROM creditor_accounts`,
    [id, MERCHANT, holder, iban],
  );
  return { id, holder, accountNumber: iban, bic: null };
}

/** A request of 100.00 EUR for a week. */
export function transferRequest(
  creditorAccount: CreditorAccount | null,
  changes: Partial<NetworkRequest> = {},
): NetworkRequest {
  const paymentLink = 'https://pay.example/pay/aaaabbbbccccdddd';
  return {
    paymentRequestId: randomUUID(),
    merchantId: MERCHANT,
    payer: { name: 'Ada Lovelace', email: 'ada@example.com', mobileNumber: null },
    creditorAccount,
    amountCents: 10_000,
    currency: 'EUR',
    merchantName: 'Harbour Books',
    merchantProfile: {
      displayName: null,
      logoUrl: null,
      accentColour: null,
      supportEmail: null,
      supportPhone: null,
      website: null,
    },
    merchantReturnUrl: null,
    displayMessage: 'Two books',
    invoiceNumber: 'INV-77',
    expiresAt: new Date('2026-03-08T12:00:00.000Z'),
    preferredLanguage: null,
    paymentLink,
    qrCodeLink: 'https://pay.example/pay/qr/aaaabbbbccccdddd',
    returnUrl: `${paymentLink}?returned=1`,
    decisionProof: 'proof',
    ...changes,
  };
}
