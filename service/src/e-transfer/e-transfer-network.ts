import type { FastifyInstance } from 'fastify';
import type { DatabaseDeps, Executor } from '#database/database.ts';
import type { LoopWork } from '#lib/loop.ts';
import type { RotatingKey } from '#lib/secret-key.ts';
import type { Log } from '#telemetry/log/log.ts';
import type { Metrics } from '#telemetry/metrics/metrics.ts';
import type { NetworkBooks } from './network-books.ts';
import type { BankFee, MoneyMovement, UnmatchedMoney } from './network-money.ts';
import type { NetworkRefunds, RefundReport, UnclearRefundBooking } from './network-refunds.ts';
import type { RefusalReason } from './refusal-reason.ts';

/**
 * The calls that this service makes to an e-transfer network. Types only: implement this interface
 * to connect another network than the simulated one. Every call may be repeated, may come in any
 * order and ends with `signal`; a call that throws has not said anything, and is made again later.
 */
export interface ETransferNetwork {
  /** No real money moves: readiness, log and pages say so (contract §1). */
  readonly isSimulated: boolean;
  /**
   * Whether the network leads the browser that confirmed back with a decision. Where no browser is
   * known, pages claim nothing about it.
   */
  readonly tellsPayersBrowser: boolean;
  readonly times: NetworkTimes;
  readonly limits: NetworkLimits;
  /** Gives money back; null: the network cannot. */
  readonly refunds: NetworkRefunds | null;
  /** The pages of a bank's files and bookings in the console; absent: the network has none. */
  readonly books?: NetworkBooks;

  /**
   * Creates the payment request at the network and answers where the payer goes. The payment
   * request's id is the idempotent reference: asked again, the network answers the same and takes
   * over what has changed, while no payer has confirmed it. After a CANCELLED payment the network
   * makes a new one.
   */
  createRequest(request: NetworkRequest, signal: AbortSignal): Promise<{ payerUrl: string }>;

  /** Asks the network to let no payer confirm the payment request any more. */
  cancelRequest(paymentRequestId: string, signal: AbortSignal): Promise<Cancellation>;

  /** Asks for the state of the payment request, for when a report was lost. */
  askState(paymentRequestId: string, signal: AbortSignal): Promise<NetworkState>;

  /** Adds what the network needs on our public listener: the gateway's pages, or its callbacks. */
  registerRoutes(app: FastifyInstance): void;

  /** The work that the network does by itself, in processes of the role `background`. */
  readonly loops: readonly LoopWork[];

  /** A sentence for operators, which readiness shows; null or absent: all is well. */
  warning?(): string | null;
}

/** The times of a network (bank-transfer §1). A default is clamped to the range. */
export interface NetworkTimes {
  /** How long a payment request is open when its creation names no expiry. */
  readonly defaultExpirySeconds: number;
  readonly longestExpirySeconds: number;
  /** The longest time from a payer's confirmation to the money. */
  readonly slowestSettlementSeconds: number;
}

/** The limits of a network; a creation beyond it is refused (bank-transfer §1). */
export interface NetworkLimits {
  /** ISO 4217 codes; null: every currency. */
  readonly currencies: readonly string[] | null;
  readonly highestAmountCents: number | null;
  /** Whether the merchant needs an account of its own (`payreq merchant set-account`). */
  readonly needsCreditorAccount: boolean;
}

/** How a merchant shows itself to payers; the operator of the service has checked it. */
export interface NetworkMerchantProfile {
  readonly displayName: string | null;
  /** A PNG; the address of another image is another address. */
  readonly logoUrl: string | null;
  /** `#rrggbb`, for a graphic beside the name. */
  readonly accentColour: string | null;
  /** The contact for a payer's questions. */
  readonly supportEmail: string | null;
  readonly supportPhone: string | null;
  /** An HTTPS URL. */
  readonly website: string | null;
}

/** The account to which the payer transfers the money; one version of it. */
export interface CreditorAccount {
  readonly id: string;
  readonly holder: string;
  /** An IBAN in electronic form, or `SCHEME:bank:number`, as payers type it. */
  readonly accountNumber: string;
  readonly bic: string | null;
}

/** The payer as the merchant named them. */
export interface NetworkPayer {
  readonly name: string;
  readonly email: string | null;
  readonly mobileNumber: string | null;
}

/** Everything that a network learns of a payment request. */
export interface NetworkRequest {
  readonly paymentRequestId: string;
  readonly merchantId: string;
  readonly payer: NetworkPayer;
  /** The merchant's current account; null: it has none. */
  readonly creditorAccount: CreditorAccount | null;
  readonly amountCents: number;
  /** ISO 4217. */
  readonly currency: string;
  /** The registered name. */
  readonly merchantName: string;
  readonly merchantProfile: NetworkMerchantProfile;
  /** The merchant's own page, for a plain link; null: it gave none. */
  readonly merchantReturnUrl: string | null;
  readonly displayMessage: string | null;
  readonly invoiceNumber: string | null;
  /** After it nobody can confirm. */
  readonly expiresAt: Date;
  /** The language that the merchant named for the payer: two letters or `xx-YY`. */
  readonly preferredLanguage: string | null;
  /** The link that another device opens to go on there. */
  readonly paymentLink: string;
  readonly qrCodeLink: string;
  /**
   * The payer's browser goes here when there is nothing left to do at the network. The network adds
   * `decision={networkReference}` for the browser that confirmed, and `decision=refused` for the
   * browser whose payer declined or was refused. It adds `elsewhere=1` for a browser that was open
   * at the network and did not sign in. They choose the words of a page, and prove no payment.
   */
  readonly returnUrl: string;
  /**
   * The network adds it as `proof` for the browser that confirmed, declined or was refused, and
   * tells no other: that browser alone reads why the payment failed.
   */
  readonly decisionProof: string;
}

/** The part of a payment request that a page of the network shows, without payer and proofs. */
export interface ShownRequest
  extends Omit<NetworkRequest, 'merchantId' | 'payer' | 'creditorAccount' | 'decisionProof'> {
  /** Until the expiry, by the database's clock. */
  readonly expiresInMs: number;
  /** By the database's clock. */
  readonly isExpired: boolean;
  readonly version: number;
}

export type NetworkOutcome =
  /** The payer confirmed, and the money is on its way. */
  | { readonly state: 'ACCEPTED' }
  | {
      readonly state: 'SUCCEEDED';
      readonly amountCents: number;
      readonly currency: string;
      readonly institution: string;
      readonly networkReference: string;
      readonly completedAt: Date;
      /** All movements of the sum; absent: one movement under `networkReference`. */
      readonly movements?: readonly MoneyMovement[];
    }
  /** A part of the amount has arrived; SUCCEEDED follows with the last part. */
  | {
      readonly state: 'PART_RECEIVED';
      readonly currency: string;
      readonly movement: MoneyMovement;
      /**
       * Present: the network leaves the sum to this service, which knows what was given back. When
       * the sum is the amount, this is the payment, and no SUCCEEDED follows.
       */
      readonly payment?: { readonly institution: string; readonly completedAt: Date };
    }
  /** Money that had arrived was taken back. PAID stays final (contract §11). */
  | {
      readonly state: 'RETURNED';
      readonly currency: string;
      /** The movement back, under a reference of its own. */
      readonly movement: MoneyMovement;
      /** The network reference of the movement that is undone; null: unknown. */
      readonly returnedReference: string | null;
      /** More is taken back than that movement had: a corrected booking explains it, or nothing. */
      readonly isMore?: true;
      /** The bank's or the network's reason code, as in `AC04`; null: none was given. */
      readonly reason: string | null;
    }
  | { readonly state: 'REFUSED'; readonly reason: RefusalReason };

export type NetworkState =
  | NetworkOutcome
  /** The network has never heard of it, or has forgotten it. */
  | { readonly state: 'UNKNOWN' }
  /** No payer has confirmed it yet; it may have expired. */
  | { readonly state: 'OPEN' }
  /** It ended without money, cancelled or taken back: nobody can confirm it any more. */
  | { readonly state: 'CANCELLED' };

/**
 * CANCELLED and UNKNOWN: no money will come. TOO_LATE: a payer has confirmed it; ask its state.
 * CANNOT_PREVENT: the page shows it as over, and money can still come at any time.
 */
export type Cancellation = 'CANCELLED' | 'TOO_LATE' | 'UNKNOWN' | 'CANNOT_PREVENT';

export interface NetworkReport {
  readonly paymentRequestId: string;
  readonly outcome: NetworkOutcome;
  /**
   * Whether the network can still take it back, and does so unless the answer is TAKEN: then a
   * confirmation that races a cancellation or the expiry ends in one status. A network that cannot
   * wait says false, and the money that came too late makes PAID with `paidLate` (contract §5).
   */
  readonly isRevocable: boolean;
}

export type Verdict = 'TAKEN' | 'NOT_TAKEN';

/** The steps of payers at the network, for the timeline. */
export type PayerStep =
  /** The payer says that the transfer was sent; proves nothing. */
  | 'TRANSFER_SENT'
  | 'INSTITUTION_CHOSEN'
  | 'SIGN_IN_FAILED'
  | 'SIGNED_IN'
  | 'CONFIRMED'
  | 'INSTITUTION_REFUSED'
  | 'DECLINED';

/** The functions through which a network reports to this service. */
export interface NetworkListener {
  /**
   * Takes a report: at least once, in any order. Throws when it could not be written; then the
   * network reports again.
   */
  readonly report: (report: NetworkReport) => Promise<Verdict>;
  /** Takes money that fits no payment request; an equal report is one case. */
  readonly reportUnmatched: (money: UnmatchedMoney) => Promise<void>;
  /** Takes the charges of a movement; an equal report is one entry of the ledger. */
  readonly reportFee: (fee: BankFee) => Promise<void>;
  /**
   * Takes reports of refunds: at least once, in any order. `alsoWrite` writes what the network
   * keeps, in the transaction that takes the reports.
   */
  readonly reportRefunds: (
    reports: readonly RefundReport[],
    alsoWrite?: (tx: Executor) => Promise<void>,
  ) => Promise<void>;
  /** Takes a booking of refunds with an amount that needs a person; an equal one is one case. */
  readonly reportRefundBooking: (booking: UnclearRefundBooking) => Promise<void>;
  /** Notes a step in the timeline. Never waits, never throws. */
  readonly noteStep: (paymentRequestId: string, step: PayerStep) => void;
}

/** The dependencies of a network: all that it may know and use of this service. */
export interface NetworkSurroundings extends DatabaseDeps {
  readonly listener: NetworkListener;
  readonly log: Log;
  readonly metrics: Metrics;
  /**
   * Payers reach this service at this origin, as in `https://pay.example`. Several cells may share
   * the origin: a router reads the mark of the cell.
   */
  readonly publicOrigin: string;
  /**
   * `CELL`. `newPageId` begins ids with the mark of this cell. Use such an id in the path of each
   * page and callback: the router sends any other id to the first cell (decision 0062).
   */
  readonly cell: number;
  /** Encrypts what the network stores of payers. */
  readonly secretsKey: RotatingKey;
  /** ISO 4217: the deployment's one currency. */
  readonly currency: string;
  /** `TIME_ZONE`: pages that know no zone of the payer write times in this one. */
  readonly timeZone: string;
}

export type MakeNetwork = (surroundings: NetworkSurroundings) => ETransferNetwork;
