/** Why a payer, an institution or the network refused (contract §5, `statusReason.code`). */
export type RefusalReason =
  | 'PAYER_DECLINED'
  | 'AUTHENTICATION_FAILED'
  | 'INSUFFICIENT_FUNDS'
  | 'ACCOUNT_RESTRICTED'
  | 'AMOUNT_LIMIT_EXCEEDED'
  | 'SUSPECTED_FRAUD'
  | 'INSTITUTION_UNAVAILABLE'
  | 'NETWORK_REJECTED'
  | 'NETWORK_TIMEOUT';
