/**
 * The columns of a delivery's row that hold its first attempt when it succeeded, each with its
 * column in webhook_attempts (decision 0077).
 */
export const FIRST_ATTEMPT_COLUMNS = {
  first_started_at: 'started_at',
  first_duration_ms: 'duration_ms',
  first_http_status: 'http_status',
  first_response_body: 'response_body',
  first_address: 'address',
  first_dns_ms: 'dns_ms',
  first_connect_ms: 'connect_ms',
  first_tls_ms: 'tls_ms',
  first_byte_ms: 'first_byte_ms',
} as const;
