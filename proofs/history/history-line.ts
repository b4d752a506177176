/** A line of the history file: one thing that happened, in the order in which it happened. */
export type HistoryLine =
  | StartLine
  | SentLine
  | AnsweredLine
  | ReceivedLine
  | AcknowledgedLine
  | FaultLine
  | PhaseLine;

export interface StartLine {
  readonly kind: 'start';
  readonly seed: number;
  /** The wall-clock time, to find the run in logs; no duration is measured with it. */
  readonly startedAt: string;
}

/** The request of a call; a repeat of a create or a refund has an equal request. */
export type Asked = ApiAsked | ConsoleAsked;

/** A call of the merchant's program. */
export type ApiAsked =
  | {
      readonly name: 'create';
      readonly key: string;
      /** Unique in the run, so that it names the row of this key. */
      readonly transactionId: string;
      readonly amountCents: number;
      readonly payerName: string;
    }
  | { readonly name: 'read'; readonly id: string }
  | { readonly name: 'cancel'; readonly id: string; readonly key: string }
  | {
      readonly name: 'refund';
      readonly id: string;
      readonly key: string;
      /** Unique in the run, so that it names the row of this key. */
      readonly merchantRefundId: string;
      readonly amountCents: number;
    }
  | { readonly name: 'token' }
  | { readonly name: 'feed'; readonly after: string | null }
  | { readonly name: 'ledger'; readonly after: string | null };

/** A person's step in the console; `person` names the session, which one link has started. */
export type ConsoleAsked = { readonly person: string } & (
  | { readonly name: 'console-sign-in' }
  | { readonly name: 'console-sign-out' }
  | ({ readonly name: 'console-page' } & AskedPage)
  | {
      readonly name: 'console-create';
      /** The form's hidden key. */
      readonly key: string;
      readonly transactionId: string;
      readonly amountCents: number;
      readonly payerName: string;
    }
  | { readonly name: 'console-cancel'; readonly id: string }
  | {
      readonly name: 'console-redeliver';
      readonly id: string;
      readonly deliveryId: string;
      /** Whether the page showed the delivery as SUCCEEDED. */
      readonly isEnded: boolean;
    }
  | {
      readonly name: 'console-refund';
      readonly id: string;
      /** The form's hidden id, which is the refund's. */
      readonly refundId: string;
      readonly amountCents: number;
    }
);

/** `stranger`: a page of another merchant; `request`: of a payment request. */
export type AskedPage =
  | { readonly page: 'overview' | 'list' | 'refund' | 'stranger' }
  | { readonly page: 'request'; readonly id: string };

export type CallName = Asked['name'];

/** Written before the call is sent. */
export interface SentLine {
  readonly kind: 'sent';
  /** The number of the call in this run. */
  readonly call: number;
  /** Milliseconds since the start, by the monotonic clock. */
  readonly atMs: number;
  readonly merchantId: string;
  readonly asked: Asked;
}

/** `ok`: 2xx. `refused`: 4xx, so nothing was done. `unknown`: it may or may not have happened. */
export type Outcome = 'ok' | 'refused' | 'unknown';

/** The content of a 2xx answer that a checker compares. */
export interface Told {
  readonly paymentRequest?: {
    readonly id: string;
    readonly amountCents: number;
    /** All statuses so far, in order. */
    readonly statuses: readonly string[];
  };
  readonly refund?: {
    readonly id: string;
    readonly paymentRequestId: string;
    readonly amountCents: number;
  };
  /** A page of the console. */
  readonly page?: {
    /** Every id in the page: of merchants, payment requests, events, refunds. */
    readonly ids: readonly string[];
    /** Given on a payment request’s page alone. */
    readonly status?: string;
  };
  /** Ids of events or of ledger entries, in the order of the answer. */
  readonly ids?: readonly string[];
  readonly nextCursor?: string;
  /** The stored answer of an earlier call: it tells the state of that moment. */
  readonly isReplay?: boolean;
}

/** Written when the answer has come, or will not come. */
export interface AnsweredLine {
  readonly kind: 'answered';
  readonly call: number;
  readonly atMs: number;
  readonly outcome: Outcome;
  /** null: no HTTP answer. */
  readonly status: number | null;
  /** The problem's code, or the reason why no answer came. */
  readonly code: string | null;
  readonly told?: Told;
}

/** Written when a webhook has arrived. */
export interface ReceivedLine {
  readonly kind: 'received';
  readonly atMs: number;
  readonly merchantId: string;
  readonly eventId: string;
  readonly paymentRequestId: string;
  readonly sequence: number;
  /** SHA-256 of the body, in hex. */
  readonly bodyHash: string;
  /** Whether credentials, signature and timestamp are right. */
  readonly isGenuine: boolean;
}

/** Written before the receiver answers a webhook with 2xx. */
export interface AcknowledgedLine {
  readonly kind: 'acknowledged';
  readonly atMs: number;
  readonly eventId: string;
}

/** A fault that the nemesis did. */
export interface FaultLine {
  readonly kind: 'fault';
  readonly atMs: number;
  readonly fault: string;
  readonly detail: string;
}

/** `load`, `heal`, `settle`, `drain`, `end`. */
export interface PhaseLine {
  readonly kind: 'phase';
  readonly atMs: number;
  readonly phase: string;
}
