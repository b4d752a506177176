import type { BankCalendar } from '#lib/bank/bank-calendar.ts';
import type { DatabaseReading } from '#telemetry/metrics/database-gauges.ts';
import { listConnections } from '../connection/connection-store.ts';
import { findUnsentSeconds } from '../connection/sent-file-store.ts';
import { watchAccounts } from './account-silence.ts';
import { findLongestWait } from './account-silence-store.ts';

const LABEL = { name: 'account', values: null } as const;

const accountReading = (calendar: BankCalendar): DatabaseReading => ({
  name: 'bank-accounts',
  gauges: [
    {
      name: 'bank_last_statement_seconds',
      description:
        'Age of the last statement, else time since a payer saw the account; by account that ' +
        'needs statements: 12 digits of the SHA-256 of its IBAN.',
      label: LABEL,
    },
    {
      name: 'bank_last_statement_working_days',
      description: 'Whole working days since the last statement, by account that needs statements.',
      label: LABEL,
    },
  ],
  async read(executor) {
    const accounts = await watchAccounts(executor, calendar);
    const secondsOf = ({ since, now }: (typeof accounts)[number]) =>
      (now.getTime() - since.getTime()) / 1e3;
    return {
      bank_last_statement_seconds: Object.fromEntries(
        accounts.map((each) => [each.key, secondsOf(each)]),
      ),
      bank_last_statement_working_days: Object.fromEntries(
        accounts.map(({ key, workingDays }) => [key, workingDays]),
      ),
    };
  },
});

const MOVEMENT_READING: DatabaseReading = {
  name: 'bank-movements',
  gauges: [
    {
      name: 'bank_movement_waiting_seconds',
      description: 'How long the oldest WAITING movement has waited for the statement of its day.',
    },
  ],
  read: async (executor) => ({
    bank_movement_waiting_seconds: (await findLongestWait(executor))?.seconds ?? 0,
  }),
};

const CONNECTION_READING: DatabaseReading = {
  name: 'bank-connections',
  gauges: [
    {
      name: 'bank_connection_good_round_seconds',
      description:
        'How long an SFTP connection has had no round without a fault, since the last one, or ' +
        'since the next one was due.',
      label: { name: 'connection', values: null },
    },
    {
      name: 'bank_payment_file_unsent_seconds',
      description: 'How long the oldest released payment file has waited to reach the bank.',
    },
  ],
  read: async (executor) => ({
    bank_connection_good_round_seconds: Object.fromEntries(
      (await listConnections(executor)).map(({ number, badSeconds }) => [number, badSeconds]),
    ),
    bank_payment_file_unsent_seconds: await findUnsentSeconds(executor),
  }),
};

/** The gauges of bank statements; every process has them, also without the background role. */
export const bankReadings = (calendar: BankCalendar): readonly DatabaseReading[] => [
  accountReading(calendar),
  MOVEMENT_READING,
  CONNECTION_READING,
];
