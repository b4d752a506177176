/** The merchants of the seeded rows, with their shares of all payment requests. */
export const OWNERS = {
  /** 40 %, with an endpoint, and with payment requests that stay open for a year. */
  giant: 'mer_giant',
  /** 20 %, small amounts only; its webhooks go to a `webhookUrl` of one origin. */
  small: 'mer_small',
  /** The rest; every second merchant has an endpoint, every twentieth has two. */
  others: 1_000,
} as const;

export const YEAR_MS = 365 * 86_400_000;

/**
 * A row's number determines all its values, so that two seeds of a size are equal. OFFSET 0 keeps
 * the planner from computing a column again at each use.
 * $1, $2: first and last number; $3: number of rows; $4: the newest row's instant in milliseconds.
 *
 * Out of a hundred, 70 are paid, 18 expired, 7 failed, 5 cancelled. Rows of the last day that would
 * expire are still open. Payers opened the links of all paid and failed rows, and of half of the
 * expired and cancelled rows.
 */
const DRAWN = `
  drawn AS MATERIALIZED (
    SELECT *,
      CASE status WHEN 'CREATED' THEN NULL WHEN 'PROCESSING' THEN NULL
        WHEN 'EXPIRED' THEN created_at + interval '24 h'
        WHEN 'CANCELLED' THEN created_at + make_interval(secs => 60 + a % 3000)
        ELSE created_at + make_interval(secs => 30 + a % 600) END AS ended_at,
      status IN ('PAID', 'FAILED', 'PROCESSING') OR t % 2 = 0 AND status <> 'CREATED' AS is_opened,
      status IN ('PAID', 'FAILED') AND s % 10 < 3 AS was_processing
    FROM (
      SELECT *, (lpad(to_hex(created_ms), 12, '0') || '7' || substr(h, 1, 3) || '8'
                 || substr(h, 4, 15))::uuid AS id,
        CASE
          WHEN is_long_open OR created_ms > $4::bigint - 3600000 THEN 'CREATED'
          WHEN s % 1000 < 700 THEN 'PAID'
          WHEN s % 1000 < 880
          THEN CASE WHEN created_ms > $4::bigint - 86400000 THEN 'CREATED' ELSE 'EXPIRED' END
          WHEN s % 1000 < 950 THEN 'FAILED'
          WHEN s % 1000 < 999 THEN 'CANCELLED'
          WHEN created_ms > $4::bigint - 3 * 86400000 THEN 'PROCESSING' ELSE 'PAID' END AS status
      FROM (
        SELECT *, to_timestamp(created_ms / 1000.0) AS created_at,
          CASE WHEN m % 10 < 4 THEN '${OWNERS.giant}' WHEN m % 10 < 6 THEN '${OWNERS.small}'
               ELSE 'mer_' || m % ${OWNERS.others} END AS merchant_id,
          m % 10 < 4 AND s % 50 = 5
            AND created_ms > $4::bigint - 363 * 86400000::bigint AS is_long_open
        FROM (
          SELECT i, h, ('x' || substr(h, 1, 7))::bit(28)::bigint AS m,
            ('x' || substr(h, 8, 7))::bit(28)::bigint AS s,
            ('x' || substr(h, 15, 7))::bit(28)::bigint AS a,
            ('x' || substr(h, 22, 7))::bit(28)::bigint AS t,
            -- Three rows share a millisecond: the list orders them by their ids.
            $4::bigint
              - ($3::bigint - i) / 3 * 3 * ${YEAR_MS}::bigint / $3::bigint AS created_ms
          FROM (SELECT i, md5('growth' || i) AS h
                FROM generate_series($1::bigint, $2::bigint) i OFFSET 0) numbers
          OFFSET 0) parts OFFSET 0) times OFFSET 0) statuses
  )`;

const REQUESTS = `
  requests AS (
    INSERT INTO payment_requests (
      id, merchant_id, merchant_transaction_id, amount_cents, type, payer_name, payer_email,
      payer_mobile_number, invoice_number, business_unit, display_message, webhook_url,
      webhook_url_field, metadata, short_code, status, status_reason_code, status_reason_message,
      payment_institution, payment_network_reference, payment_completed_at, version,
      webhook_sequence, created_at, expires_at, creation_transaction)
    SELECT id, merchant_id, CASE WHEN t % 5 > 0 THEN h END,
      CASE WHEN merchant_id = '${OWNERS.small}' THEN 100 + a % 1900
           WHEN a % 100000 = 7 THEN 900000 + a % 99999
           ELSE 500 + (a % 300) * (a % 211) END,
      'ECOMM', 'Payer ' || t,
      CASE WHEN t % 50 = 0 THEN 'none@shop.example'
           ELSE 'Payer' || t % 2000003 || '@example.com' END,
      CASE WHEN t % 2 = 0 THEN '+1 (416) ' || 1000000 + t % 3000017 END,
      CASE WHEN a % 100 = 1 THEN 'N/A' WHEN a % 2 = 0 THEN 'INV-' || i END,
      CASE WHEN t % 100000 = 3 THEN 'airport' WHEN t % 10 < 5 THEN 'web'
           WHEN t % 10 < 8 THEN 'store-' || t % 7 END,
      'Thank you for your order ' || i,
      CASE WHEN merchant_id <> '${OWNERS.giant}'
           THEN 'https://hooks.' || merchant_id || '.example/payments' END,
      CASE WHEN merchant_id <> '${OWNERS.giant}' THEN 'webhookUrl' END,
      json_build_object('orderId', i::text), substr(md5(h), 1, 16), status,
      CASE status WHEN 'FAILED' THEN 'PAYER_DECLINED' WHEN 'EXPIRED' THEN 'LINK_EXPIRED'
                  WHEN 'CANCELLED' THEN 'CANCELLED_BY_MERCHANT' END,
      CASE WHEN status IN ('FAILED', 'EXPIRED', 'CANCELLED') THEN 'It was not paid.' END,
      CASE status WHEN 'PAID' THEN 'Maple Bank' END,
      CASE status WHEN 'PAID' THEN 'REF-' || i END,
      CASE status WHEN 'PAID' THEN ended_at END,
      CASE WHEN was_processing THEN 3 WHEN status = 'CREATED' THEN 1 ELSE 2 END,
      CASE WHEN ended_at IS NULL THEN 0 ELSE 1 END, created_at,
      created_at + CASE WHEN is_long_open THEN interval '364 days' ELSE interval '24 h' END, '0'
    FROM drawn
  )`;

const CAUSE = `CASE status WHEN 'PAID' THEN 'PAYMENT_SUCCEEDED' WHEN 'FAILED' THEN 'PAYMENT_REFUSED'
  WHEN 'EXPIRED' THEN 'EXPIRY_PASSED' WHEN 'CANCELLED' THEN 'CANCELLED_BY_MERCHANT' END`;

/** Without numbers of transactions: as rows of a restored dump. */
const EVENTS = `
  events AS (
    INSERT INTO payment_request_moves
      (payment_request_id, position, status, cause, reason_code, occurred_at, transaction_id)
    SELECT id, 2, 'PROCESSING', 'PAYMENT_ACCEPTED', NULL, created_at + interval '20 s', '0'::xid8
    FROM drawn
    WHERE was_processing OR status = 'PROCESSING'
    UNION ALL
    SELECT id, CASE WHEN was_processing THEN 3 ELSE 2 END, status, ${CAUSE},
      CASE status WHEN 'FAILED' THEN 'PAYER_DECLINED' WHEN 'EXPIRED' THEN 'LINK_EXPIRED'
                  WHEN 'CANCELLED' THEN 'CANCELLED_BY_MERCHANT' END, ended_at, '0'::xid8
    FROM drawn WHERE ended_at IS NOT NULL
  ), timeline AS (
    INSERT INTO payment_request_timeline
      (payment_request_id, type, occurred_at, details, transaction_id)
    SELECT id, 'LINK_OPENED', created_at + interval '10 s', '{}'::jsonb, '0'::xid8
    FROM drawn WHERE is_opened
    UNION ALL
    SELECT id, 'PAYER_STEP', created_at + interval '15 s',
      '{"step":"INSTITUTION_CHOSEN"}'::jsonb, '0'::xid8
    FROM drawn WHERE status IN ('PAID', 'FAILED')
  ), network AS (
    INSERT INTO network_requests
      (payment_request_id, payer_url, known_version, looks, changes, next_look_at, created_at)
    SELECT id, 'https://gateway.example/pay/' || h, 1, 1, 1,
      CASE WHEN ended_at IS NULL THEN to_timestamp($4::bigint / 1000.0) + interval '30 days' END,
      created_at + interval '10 s'
    FROM drawn WHERE is_opened
  ), answers AS (
    INSERT INTO idempotency_answers
      (merchant_id, key, fingerprint, status, headers, body, created_at)
    SELECT merchant_id, 'order-' || i, decode(h || h, 'hex'), 201,
      '{"content-type":"application/json; charset=utf-8","etag":"\\"1\\""}',
      ${resource()}, created_at
    FROM drawn WHERE created_ms > $4::bigint - 72 * 3600000 AND t % 5 > 0
  )`;

/** A webhook's resource in its usual size. */
function resource(): string {
  return `format('{"id":"%s","merchantTransactionId":"%s","amount":149.95,"type":"ECOMM",'
    '"payer":{"name":"Payer %s","email":"payer%s@example.com"},"displayMessage":"Thank you for '
    'your order %s","invoiceNumber":"INV-%s","businessUnit":"web","metadata":{"orderId":"%s"},'
    '"merchant":{"id":"%s","name":"A shop of a usual name"},"status":"%s","createdDateTime":"%s",'
    '"expiryDateTime":"%s","shortCode":"%s","paymentLink":"https://api.example.com/pay/%s",'
    '"qrCodeLink":"https://api.example.com/pay/qr/%s","events":[{"status":"CREATED","dateTime":'
    '"%s"},{"status":"%s","dateTime":"%s"}],"links":[{"rel":"payment-request","href":'
    '"https://api.example.com/v1/payment-requests/%s"}]}', id, h, t, t, i, i, i, merchant_id,
    status, created_at, created_at, substr(h, 1, 16), substr(h, 1, 16), substr(h, 1, 16),
    created_at, status, created_at, id)`;
}

/** A time-ordered id of an event or a delivery, as the service makes them. */
const idAt = (instant: string, salt: string) =>
  `(lpad(to_hex((extract(epoch FROM ${instant}) * 1000)::bigint), 12, '0') || '7'
    || substr(md5('${salt}' || h), 1, 3) || '8' || substr(md5('${salt}' || h), 4, 15))::uuid`;

/**
 * $5: the oldest instant of webhook events, in milliseconds. $6: the server's next transaction id.
 * The events' transaction ids are spread below $6, because a feed shows no later ids. In a hundred
 * deliveries, 1 is exhausted after eleven attempts and 4 needed two.
 */
const WEBHOOKS = `
  owed AS MATERIALIZED (
    SELECT *, ${idAt('ended_at', 'event')} AS event_id, ${idAt('ended_at', 'delivery')} AS own_id,
      ${idAt("ended_at + interval '1 ms'", 'second')} AS second_id,
      CASE WHEN s % 100 = 99 THEN 11 WHEN s % 25 = 7 THEN 2 ELSE 1 END AS attempts,
      CASE WHEN merchant_id IN ('${OWNERS.giant}', '${OWNERS.small}') THEN NULL
           ELSE m % ${OWNERS.others} END AS other
    FROM drawn
    WHERE ended_at IS NOT NULL AND extract(epoch FROM ended_at) * 1000 > $5::bigint
  ), webhook AS (
    INSERT INTO webhook_events
      (id, transaction_id, merchant_id, payment_request_id, sequence, event_type, body, created_at)
    SELECT event_id, (3 + (i::numeric * ($6::bigint - 3) / ($3::bigint + 1))::bigint)::text::xid8,
      merchant_id, id, 1,
      CASE status WHEN 'PAID' THEN 'PAYMENT-COMPLETED' ELSE 'PAYMENT-FAILED' END,
      '{"eventType":"PAYMENT-COMPLETED","message":"The payer completed the transaction.",'
        || '"resourceType":"Payment Requests API","resource":' || ${resource()}
        || ',"id":"' || event_id || '","createdDateTime":"' || ended_at || '","sequence":1}',
      ended_at
    FROM owed ORDER BY ended_at
  ), targets AS MATERIALIZED (
    SELECT owed.*, own_id AS delivery_id, e.id AS endpoint_id,
      coalesce(e.url, 'https://hooks.' || owed.merchant_id || '.example/payments') AS url
    FROM owed LEFT JOIN webhook_endpoints e
      ON e.id = md5(owed.merchant_id || ' 1')::uuid
    UNION ALL
    SELECT owed.*, second_id, e.id, e.url
    FROM owed JOIN webhook_endpoints e ON e.id = md5(owed.merchant_id || ' 2')::uuid
  ), deliveries AS (
    INSERT INTO webhook_deliveries (id, event_id, merchant_id, payment_request_id, sequence,
      endpoint_id, url, destination, status, attempts, next_attempt_at, created_at, completed_at,
      first_started_at, first_duration_ms, first_http_status, first_response_body, first_address,
      first_dns_ms, first_connect_ms, first_tls_ms, first_byte_ms, failed_at, failed_by)
    SELECT delivery_id, event_id, merchant_id, id, 1, endpoint_id, url,
      coalesce(endpoint_id::text, merchant_id || ' https://hooks.' || merchant_id || '.example'),
      CASE attempts WHEN 11 THEN 'EXHAUSTED' ELSE 'SUCCEEDED' END, attempts, NULL, ended_at,
      ended_at + make_interval(secs => attempts * attempts),
      first.started_at, first.duration_ms, first.http_status, first.response_body, first.address,
      first.dns_ms, first.connect_ms, first.tls_ms, first.byte_ms,
      CASE attempts WHEN 11 THEN ended_at + interval '121 s' END,
      CASE attempts WHEN 11 THEN '5xx' END
    FROM targets LEFT JOIN LATERAL (
      SELECT ended_at + interval '1 s' AS started_at, (20 + a % 200)::int AS duration_ms,
        200 AS http_status, '' AS response_body, '203.0.113.' || a % 250 AS address, 1 AS dns_ms,
        12 AS connect_ms, 25 AS tls_ms, 18 AS byte_ms) first ON attempts = 1
  )
  INSERT INTO webhook_attempts (delivery_id, attempt, started_at, duration_ms, outcome, http_status,
    response_body, address, dns_ms, connect_ms, tls_ms, first_byte_ms)
  SELECT delivery_id, n, ended_at + make_interval(secs => n * n), 20 + a % 200,
    CASE WHEN n = attempts AND attempts < 11 THEN 'SUCCEEDED' ELSE 'REFUSED_BY_LISTENER' END,
    CASE WHEN n = attempts AND attempts < 11 THEN 200 ELSE 503 END,
    CASE WHEN n = attempts AND attempts < 11 THEN '' ELSE 'Service Unavailable' END,
    '203.0.113.' || a % 250, 1, 12, 25, 18
  FROM targets, generate_series(1, attempts) n WHERE attempts > 1`;

/** A batch of payment requests with their events, timelines, network requests and webhooks. */
export const INSERT_BATCH = `WITH ${[DRAWN, REQUESTS, EVENTS, WEBHOOKS].join(',')}`;

export const INSERT_OWNERS = `
  WITH owners AS (
    INSERT INTO merchants (id, name, listener_username, listener_password_encrypted,
                           signing_secret_encrypted)
    SELECT id, 'A shop of a usual name', 'seeded', '', '' FROM (
      SELECT 'mer_' || generate_series(0, ${OWNERS.others} - 1)
      UNION ALL SELECT unnest(ARRAY['${OWNERS.giant}', '${OWNERS.small}'])) ids (id)
    ON CONFLICT DO NOTHING
  )
  INSERT INTO webhook_endpoints (id, merchant_id, url, listener_username,
                                 listener_password_encrypted, signing_secret_encrypted)
  SELECT md5(merchant_id || ' ' || n)::uuid, merchant_id,
    'https://endpoint-' || n || '.' || merchant_id || '.example/', 'seeded', '', ''
  FROM (
    SELECT '${OWNERS.giant}' AS merchant_id, 1 AS n
    UNION ALL SELECT 'mer_' || i, 1 FROM generate_series(0, ${OWNERS.others} - 1, 2) i
    UNION ALL SELECT 'mer_' || i, 2 FROM generate_series(0, ${OWNERS.others} - 1, 20) i) endpoints
  ON CONFLICT DO NOTHING`;
