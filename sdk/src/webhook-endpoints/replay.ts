/** The span of time whose events the service sends again. */
export interface ReplaySpan {
  /** Events of this instant or later. */
  readonly from: string | Date;
  /** Events before this instant; default: now. */
  readonly to?: string | Date | undefined;
  /** `failed` (default): exhausted deliveries. `all`: every event, acknowledged events too. */
  readonly only?: 'failed' | 'all' | undefined;
}

/** The job that sends the events of a span of time again. */
export interface WebhookReplay {
  readonly id: string;
  readonly endpointId: string;
  readonly from: string;
  readonly to: string;
  readonly only: 'failed' | 'all';
  /** COMPLETED: every event is queued. CANCELLED: the endpoint was deleted. */
  readonly status: 'RUNNING' | 'COMPLETED' | 'CANCELLED';
  readonly progress: {
    /** The replay has examined the events before this instant. */
    readonly examinedTo: string;
    readonly examined: number;
    readonly queued: number;
    /** Queued events that are neither delivered nor exhausted. */
    readonly pending: number;
  };
  readonly createdDateTime: string;
  readonly completedDateTime?: string;
}
