import type { NetworkSettings } from '../network-settings.ts';

export const SIMULATED_SETTINGS: NetworkSettings<'simulated'> = {
  name: 'simulated',
  effect: 'there is nothing to allow',
  refused: [],
  warned: ['ALLOW_SIMULATED_NETWORK'],
  findFaults(values, isOn) {
    const isProduction = values.get('ENVIRONMENT') === 'production';
    if (!isOn || !isProduction || values.get('ALLOW_SIMULATED_NETWORK') === true) return [];
    return [
      'E_TRANSFER_NETWORK is simulated, on which anybody can "pay" without money moving: ' +
        'that also needs ALLOW_SIMULATED_NETWORK=yes.',
    ];
  },
};
