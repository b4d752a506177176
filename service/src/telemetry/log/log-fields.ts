/**
 * Every field that a log line may carry. What is not here is left out of the line (and named under
 * `droppedFields`), so that payer data and secrets cannot slip in by way of a whole object.
 * Add a field when a line needs it; never one that holds what a payer or a merchant typed.
 */
export const LOG_FIELDS = [
  // the process
  'pid',
  'hostname',
  'environment',
  'version',
  'roles',
  'address',
  'port',
  'opsAddress',
  'opsPort',
  'signal',
  'exitCode',
  'processes',
  'process',
  'processPid',
  'simulatedNetwork',
  'settings',
  'migrations',
  'faults',
  'unfinished',
  // one HTTP request
  'requestId',
  'reqId',
  'method',
  'route',
  'status',
  'durationMs',
  'merchantId',
  // of refused calls of merchants only: an address, or its network of 64 bits; one that exists
  'sourceAddress',
  'username',
  'problemCode',
  'fieldFaults',
  'requestBytes',
  'responseBytes',
  'aborted',
  'replayed',
  // one payment request and its moves
  'paymentRequestId',
  'from',
  'to',
  'cause',
  'statusReasonCode',
  'position',
  'caseId',
  'kind',
  // one webhook delivery attempt
  'deliveryId',
  'eventId',
  'endpointId',
  'eventType',
  'sequence',
  'host',
  'attempt',
  'isProbe',
  'outcome',
  'httpStatus',
  'lagMs',
  'nextAttemptAt',
  'retryAfterSeconds',
  'delaySeconds',
  // loops and housekeeping
  'loop',
  'count',
  'channel',
  'keyId',
  'credentialId',
  'offsetMs',
  'reason',
  'err',
] as const;

export type LogField = (typeof LOG_FIELDS)[number];
