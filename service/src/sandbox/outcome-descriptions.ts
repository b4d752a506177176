/** The effect of each name, for the API reference (contract §8). A test compares the outcomes. */
export const OUTCOME_DESCRIPTIONS: readonly (readonly [name: string, effect: string])[] = [
  ['depositSubmit', 'PAID after about 10 seconds, with its webhook'],
  ['depositSubmit:N', 'the same after N seconds (0 to 3600); each name but createError takes :N'],
  ['depositDecline', 'FAILED, PAYER_DECLINED, after 10 seconds'],
  ['depositFail:CODE', 'FAILED with that statusReason code, after 10 seconds'],
  ['depositFail:CODE:N', 'the same after N seconds'],
  ['depositExpire', 'EXPIRED after 10 seconds'],
  ['depositProcessing', 'PROCESSING after 5 seconds, PAID after 10'],
  ['depositProcessingFail', 'PROCESSING after 5 seconds, FAILED after 10'],
  ['depositLate', 'EXPIRED after 10 seconds, PAID with paidLate after 20'],
  ['depositDuplicate', 'PAID after 10 seconds, and the same webhook sent twice'],
  [
    'depositBadSignature',
    'PAID after 10 seconds; the webhook first comes with a wrong signature, then rightly',
  ],
  ['depositNoWebhook', 'PAID after 10 seconds; the event is in the feed, and no webhook is sent'],
  [
    'createError:STATUS',
    'the create call itself answers that problem: 400, 401, 403, 409, 429, 500 or 503',
  ],
];
