import { checkAuditedSettings } from './accounting/audited-settings-check.ts';
import { checkDaySums } from './accounting/day-sums-check.ts';
import { checkAuditLog } from './audit-log-check.ts';
import { checkCaFile } from './ca-file-check.ts';
import { checkCases } from './consistency/case-check.ts';
import { checkDeliveries } from './consistency/delivery-checks.ts';
import { checkFeed } from './consistency/feed-check.ts';
import { checkLeases } from './consistency/lease-check.ts';
import { checkMoney } from './consistency/money-check.ts';
import { checkOutbox } from './consistency/outbox-check.ts';
import { checkOverdueSteps } from './consistency/overdue-check.ts';
import { checkPaymentRequests } from './consistency/payment-request-check.ts';
import { checkReferences } from './consistency/reference-check.ts';
import { checkMailServer } from './mail-check.ts';
import { checkNetworkPayments } from './network-payment-check.ts';
import { checkProxies } from './proxy-check.ts';
import { checkRestore } from './restore-check.ts';
import { checkSchema } from './schema-check.ts';
import { checkPepper, checkSecrets, checkSigningKey } from './secret-checks.ts';
import { checkRoles } from './server/role-check.ts';
import { checkVacuum } from './server/vacuum-check.ts';
import { checkClock, checkDatabase, checkEnvironment } from './server-checks.ts';
import { checkStatements, checkWaitingMoney } from './statement-check.ts';
import type { Check } from './verdict.ts';

/** All checks of `payreq doctor`, in this order; the others need the first one. */
export const CHECKS: readonly Check[] = [
  { name: 'database', run: checkDatabase },
  { name: 'environment', run: checkEnvironment },
  { name: 'schema', run: checkSchema },
  { name: 'clock', run: checkClock },
  { name: 'secrets', run: checkSecrets },
  { name: 'pepper', run: checkPepper },
  { name: 'signing key', run: checkSigningKey },
  { name: 'webhook CA', run: checkCaFile },
  { name: 'mail server', run: checkMailServer },
  { name: 'references', run: checkReferences },
  { name: 'payment requests', run: checkPaymentRequests },
  { name: 'money', run: checkMoney },
  { name: 'cases', run: checkCases },
  { name: 'day sums', run: checkDaySums },
  { name: 'outbox', run: checkOutbox },
  { name: 'deliveries', run: checkDeliveries },
  { name: 'leases', run: checkLeases },
  { name: 'feed', run: checkFeed },
  { name: 'overdue steps', run: checkOverdueSteps },
  { name: 'network payments', run: checkNetworkPayments },
  { name: 'statements', run: checkStatements },
  { name: 'waiting money', run: checkWaitingMoney },
  { name: 'restore', run: checkRestore },
  { name: 'proxies', run: checkProxies },
  { name: 'audit log', run: checkAuditLog },
  { name: 'audited settings', run: checkAuditedSettings },
  { name: 'database roles', run: checkRoles },
  { name: 'autovacuum', run: checkVacuum },
];
