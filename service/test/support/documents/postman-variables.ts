/** The variables of the collection; the first six are for its user to set. */
export const COLLECTION_VARIABLES: readonly (readonly [key: string, value: string])[] = [
  ['origin', 'http://localhost:4010'],
  ['base_url', 'http://localhost:4010/v1'],
  ['auth_url', 'http://localhost:4010/oauth2/token'],
  ['username', ''],
  ['password', ''],
  ['api_key', ''],
  ['access_token', ''],
  ['access_token_ends_at', '0'],
  ['payment_request_id', ''],
  ['refund_id', ''],
  ['endpoint_id', ''],
  ['delivery_id', ''],
  ['replay_id', ''],
];

/** The variable that holds the id of each collection's latest item. */
export const ID_VARIABLES: Readonly<Record<string, string>> = {
  'payment-requests': 'payment_request_id',
  refunds: 'refund_id',
  'webhook-endpoints': 'endpoint_id',
  'webhook-deliveries': 'delivery_id',
};

/** Runs before each request. Postman sends the request after the answer of `sendRequest`. */
export const ACCESS_TOKEN_SCRIPT: readonly string[] = [
  "const endsAt = Number(pm.collectionVariables.get('access_token_ends_at') || 0);",
  'if (Date.now() > endsAt) {',
  "  const credentials = pm.variables.get('username') + ':' + pm.variables.get('password');",
  '  pm.sendRequest({',
  "    url: pm.variables.get('auth_url'),",
  "    method: 'POST',",
  "    header: { Authorization: 'Basic ' + btoa(credentials) },",
  '    body: {',
  "      mode: 'urlencoded',",
  "      urlencoded: [{ key: 'grant_type', value: 'client_credentials' }],",
  '    },',
  '  }, (error, response) => {',
  "    if (error || response.code !== 200) throw new Error('No access token: check the variables.');",
  '    const token = response.json();',
  "    pm.collectionVariables.set('access_token', token.access_token);",
  '    const endsAt = Date.now() + (token.expires_in - 60) * 1000;',
  "    pm.collectionVariables.set('access_token_ends_at', String(endsAt));",
  '  });',
  '}',
];

/** Runs after a call by its operationId, so that later calls find the item. */
export const STORED_IDS: Readonly<Record<string, readonly string[]>> = {
  createPaymentRequest: storeAnswered('payment_request_id', '201'),
  createRefund: storeAnswered('refund_id', '201'),
  createWebhookEndpoint: storeAnswered('endpoint_id', '201'),
  testWebhookEndpoint: storeAnswered('delivery_id', '202'),
  replayWebhooks: storeAnswered('replay_id', '202'),
};

function storeAnswered(variable: string, status: string): readonly string[] {
  return [
    `if (pm.response.code === ${status}) {`,
    `  pm.collectionVariables.set('${variable}', pm.response.json().id);`,
    '}',
  ];
}
