import { BANK_SETTINGS } from '#e-transfer/bank-transfer/bank-settings.ts';
import { SIMULATED_SETTINGS } from '#e-transfer/simulated-network/simulated-settings.ts';

/** The settings of every network that E_TRANSFER_NETWORK can name: add yours here. */
export const NETWORK_SETTINGS = [SIMULATED_SETTINGS, BANK_SETTINGS] as const;

export const NETWORK_NAMES = NETWORK_SETTINGS.map(({ name }) => name);
