import type { ApprovalDeps } from '#approvals/act-or-propose.ts';
import type { SignInDeps } from '#console/sign-in/sign-in-deps.ts';
import type { DatabaseDeps } from '#database/database.ts';
import type { OverviewReads } from '#database/replica/overview-reads.ts';
import type { Environment } from '#lib/environment.ts';

import type { SendAgainDeps } from '#messages/calls/send-again.ts';
import type { TestDeps } from '#messages/templates/send-test.ts';
import type { FindElsewhere } from '#payment-requests/lookup/search-payment-requests.ts';
import type { MessageHooks } from '#payment-requests/model/messages/message-hooks.ts';
import type { PublicSettings } from '#payment-requests/model/render-json.ts';
import type { ApplyReportDeps } from '#payment-requests/network/apply-report.ts';
import type { ChangeRefundDeps } from '#refunds/status/change-refund-status.ts';
import type { CredentialPageDeps } from './credentials/credential-deps.ts';
import type { MoneyParts } from './money/money-deps.ts';
import type { OperatorPageDeps } from './operators/operator-deps.ts';
import type { WebhookPagesDeps } from './webhooks/deps.ts';

/** The needs of the console, part by part: each module names the ones that it takes. */
export interface ConsoleDeps extends DatabaseDeps {
  /** Lists and reports, which a replica may serve. */
  readonly reads: OverviewReads;
  readonly money: MoneyParts;
  readonly signIn: SignInDeps;
  readonly environment: Environment;
  /** `CELL` */
  readonly cell: number;
  /** The origin of the console's pages: that of PUBLIC_API_URL. */
  readonly origin: string;
  /** `TIME_ZONE` */
  readonly timeZone: string;
  /** `CURRENCY` */
  readonly currency: string;
  /** The public addresses and the currency of the API. */
  readonly settings: PublicSettings;
  /** The needs of the one writer of a status, and of simulated reports. */
  readonly move: ApplyReportDeps;
  /** The needs of the one writer of a refund's status. */
  readonly refund: ChangeRefundDeps;
  /** Writes messages to payers. */
  readonly messages: MessageHooks;
  /** Sends a payer the link again. */
  readonly messaging: SendAgainDeps;
  /** Shows examples of messages, and sends them to the person who edits a template. */
  readonly templates: Pick<TestDeps, 'settings' | 'mailer'>;
  /** The payment requests that a bank's reference names; null: the network has none. */
  readonly findByBankReference: FindElsewhere | null;
  /** Acts of money, which two people may have to stand behind. */
  readonly approvals: ApprovalDeps;
  readonly webhooks: WebhookPagesDeps['webhooks'];
  readonly credentials: CredentialPageDeps;
  readonly operators: OperatorPageDeps;
}
