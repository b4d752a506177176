import type { RefusalTexts } from './text-types.ts';

export const refusals: RefusalTexts = {
  REFUND_AMOUNT_EXCEEDED: 'Rien n’est remboursé\u00a0: le montant dépasse le montant disponible.',
  REFUND_AMOUNT_MISMATCH:
    'Rien n’est remboursé\u00a0: le montant disponible a changé depuis ' +
    'l’ouverture de cette page. Vérifiez-le de nouveau.',
  REFUNDS_DISABLED:
    'Rien n’est remboursé\u00a0: les remboursements ne sont pas permis à cette boutique. ' +
    'L’exploitant du service de paiement peut les permettre.',
  REFUNDS_NOT_SUPPORTED:
    'Rien n’est remboursé\u00a0: le réseau de ce paiement ne peut pas rendre l’argent. Rendez-le ' +
    'd’une autre manière.',
  REFUND_LIMIT_REACHED:
    'Rien n’est remboursé\u00a0: les remboursements de la journée ont atteint leur limite. ' +
    'Réessayez demain, ou adressez-vous à l’exploitant du service de paiement.',
  NOT_PAID: 'Rien n’est remboursé\u00a0: ce paiement n’a pas été payé.',
  OTHER:
    'Rien n’est remboursé\u00a0: le service de paiement a refusé. Le journal de la boutique dit ' +
    'pourquoi.',
};
