import type { NetworkSettings } from '#e-transfer/network-settings.ts';

export const WALLET_SETTINGS: NetworkSettings<'wallet'> = {
  name: 'wallet',
  effect: 'no wallet is asked',
  refused: ['WALLET_URL', 'WALLET_KEY'],
  warned: [],
  findFaults(values, isOn) {
    if (!isOn || values.get('WALLET_KEY') !== null) return [];
    return ['WALLET_KEY is not set: E_TRANSFER_NETWORK=wallet needs the key of the provider.'];
  },
};
