import type { NetworkDescription } from '#e-transfer/network-description.ts';
import type { WalletSettings } from './wallet-network.ts';

/** Wallets: no accounts, no statements, no refunds, and nothing stored about payers. */
export const WALLET: NetworkDescription<WalletSettings> = {
  isSimulated: () => false,
  canRefund: () => false,
  async load(settings) {
    const { createWalletNetwork } = await import('./wallet-network.ts');
    return createWalletNetwork(settings);
  },
  steps: [],
  eraseTexts: async () => {},
};
