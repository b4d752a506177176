/** The provider's name: `pp_payment-requests_{id}`, with the id that `medusa-config` gives it. */
export const IDENTIFIER = 'payment-requests';
