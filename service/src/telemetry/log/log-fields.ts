/**
 * Every field that a log line may carry. Other fields are left out of the line (and named under
 * `droppedFields`), so that payer data and secrets cannot enter through a whole object. Add a field
 * when a line needs it; never add a field with a value that a payer or a merchant typed.
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
  // for people of the console: the id in the audit log, not the secret of the cookie
  'sessionId',
  // for refused calls of merchants and people only: an address, or its network of 64 bits; existing
  // identifiers only
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
  'refundId',
  'from',
  'to',
  'cause',
  'statusReasonCode',
  'position',
  'caseId',
  'fileId',
  'statementId',
  'kind',
  'messageId',
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
