import type { NetworkSettings } from '../network-settings.ts';

/** bank-transfer §1, §2, §6. */
export const BANK_SETTINGS: NetworkSettings<'bank-transfer'> = {
  name: 'bank-transfer',
  effect: 'no statement is read and no refund is written',
  refused: ['BANK_FILES_DIR', 'BANK_REFUNDS_DIR', 'BANK_SFTP_URL'],
  warned: ['BANK_FILES_KEEP', 'BANK_MAX_AUTOMATIC'],
  findFaults(values, isOn) {
    if (!isOn) {
      if (values.get('BANK_DEMO') !== true) return [];
      return ['BANK_DEMO is yes, which is for E_TRANSFER_NETWORK=bank-transfer alone.'];
    }
    if (values.get('ENVIRONMENT') === 'sandbox') {
      return [
        'E_TRANSFER_NETWORK is bank-transfer, which takes real money: it is for production ' +
          'alone; a sandbox has the simulator instead.',
      ];
    }
    return [];
  },
};
