import { pageTexts, type TextKey } from '#http/pages/texts.ts';

/** The texts of the gateway and of its institutions. */
export const gatewayTexts = pageTexts('payer.gateway');
export type GatewayText = TextKey<'payer.gateway'>;
