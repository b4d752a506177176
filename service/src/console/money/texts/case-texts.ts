import { type Catalogue, compileTexts } from '#http/pages/texts.ts';
import type { OperatorCaseKind } from '#telemetry/metrics/network-metrics.ts';

/** Money that corrects a booking has words of its own within its kind. */
export type ShownKind = OperatorCaseKind | 'CORRECTED_BOOKING';
type Key = `${'name' | 'meaning' | 'advice'}.${ShownKind}`;

const EN_AT_THE_BANK =
  'Settle it at the bank or network and with the merchant, then close the case.';
const FR_AT_THE_BANK =
  'Réglez la question avec la banque ou le réseau et avec le marchand, puis fermez le dossier.';

const CATALOGUE: Catalogue<Key> = {
  en: {
    'name.AMOUNT_MISMATCH': 'Another amount',
    'meaning.AMOUNT_MISMATCH': 'Another amount has arrived than the payment request asks for.',
    'advice.AMOUNT_MISMATCH': 'Accept the amount if the merchant agrees, else give it back.',
    'name.CURRENCY_MISMATCH': 'Another currency',
    'meaning.CURRENCY_MISMATCH': 'Money in another currency than the deployment’s has arrived.',
    'advice.CURRENCY_MISMATCH': EN_AT_THE_BANK,
    'name.REFERENCE_REUSED': 'Reference used twice',
    'meaning.REFERENCE_REUSED':
      'Money was reported under the network reference of another payment request.',
    'advice.REFERENCE_REUSED': EN_AT_THE_BANK,
    'name.SECOND_PAYMENT': 'Paid a second time',
    'meaning.SECOND_PAYMENT': 'Money has arrived for a payment request that was paid already.',
    'advice.SECOND_PAYMENT':
      'Give it back, or assign it to the payment request that the payer meant.',
    'name.UNKNOWN_PAYMENT_REQUEST': 'Unknown payment request',
    'meaning.UNKNOWN_PAYMENT_REQUEST':
      'Money was reported for a payment request that does not exist.',
    'advice.UNKNOWN_PAYMENT_REQUEST':
      'Assign it to the payment request that the payer meant, or give it back at the bank.',
    'name.PROCESSING_OVERDUE': 'In progress for too long',
    'meaning.PROCESSING_OVERDUE': 'A payment is in progress for longer than the network takes.',
    'advice.PROCESSING_OVERDUE':
      'Ask the network for the payment’s outcome; the service takes its report. Then close.',
    'name.MONEY_RETURNED': 'Money taken back',
    'meaning.MONEY_RETURNED': 'Money of a paid payment request was taken back.',
    'advice.MONEY_RETURNED':
      'Make sure that the merchant knows: goods may have left. Then close the case.',
    'name.PART_PAYMENT': 'Paid in part',
    'meaning.PART_PAYMENT': 'Parts of the amount have arrived for a payment request that is over.',
    'advice.PART_PAYMENT':
      'Wait for the rest, accept the parts as the payment, or give the parts back.',
    'name.WRONG_ACCOUNT': 'On another account',
    'meaning.WRONG_ACCOUNT': 'Money names a payment request that shows another account.',
    'advice.WRONG_ACCOUNT':
      'Accept it if the account is the merchant’s own, else assign it or give it back.',
    'name.CORRECTED_BOOKING': 'Corrected booking',
    'meaning.CORRECTED_BOOKING':
      'The bank has sent a booking again under the same reference, with other values.',
    'advice.CORRECTED_BOOKING':
      'Ask the bank which booking is right. Replace the earlier one, or assign this money if it ' +
      'came beside it.',
    'name.AMBIGUOUS_REFERENCE': 'Unclear references',
    'meaning.AMBIGUOUS_REFERENCE':
      'Money names two payment requests, or its details do not add up.',
    'advice.AMBIGUOUS_REFERENCE':
      'Ask the payer, and assign it to the payment request that the payer meant.',
    'name.AMOUNT_ABOVE_LIMIT': 'Above the automatic limit',
    'meaning.AMOUNT_ABOVE_LIMIT':
      'The money is above the amount up to which money needs no person.',
    'advice.AMOUNT_ABOVE_LIMIT':
      'Compare it with the bank’s own records, then accept it or give it back.',
    'name.UNMATCHED_MONEY': 'Unmatched money',
    'meaning.UNMATCHED_MONEY': 'Money with a reference of this service fits no payment request.',
    'advice.UNMATCHED_MONEY':
      'Assign it to the payment request that the payer meant, or give it back at the bank.',
    'name.REFUNDED_OUTSIDE': 'Refunded by the bank',
    'meaning.REFUNDED_OUTSIDE': 'The merchant’s bank gave money back without this service.',
    'advice.REFUNDED_OUTSIDE':
      'Accept it as a refund of the payment request, so that the sums are right.',
    'name.NOT_ON_STATEMENT': 'Not on the statement',
    'meaning.NOT_ON_STATEMENT': 'A message told of money, and no statement of its day lists it.',
    'advice.NOT_ON_STATEMENT':
      'Import the statement that lists it, and the money counts. Else close the case.',
    'name.REFUNDED_AND_RETURNED': 'Refunded and taken back',
    'meaning.REFUNDED_AND_RETURNED': 'Money was taken back that a refund has given back already.',
    'advice.REFUNDED_AND_RETURNED':
      'The merchant has paid twice: claim the refund back from the payer, then close.',
    'name.REFUND_ACCOUNT_UNCLEAR': 'Account of the refund unclear',
    'meaning.REFUND_ACCOUNT_UNCLEAR': 'A refund belongs to payments from several accounts.',
    'advice.REFUND_ACCOUNT_UNCLEAR': 'Choose the payment to give back.',
    'name.REFUND_AMOUNT': 'Refund with another amount',
    'meaning.REFUND_AMOUNT':
      'The bank booked a refund, or its way back, with an amount that nothing explains.',
    'advice.REFUND_AMOUNT':
      'Ask the bank, and accept the difference as its charges or its correction.',
    'name.REFUND_OVERDUE': 'Refund in progress for too long',
    'meaning.REFUND_OVERDUE': 'A refund is in progress for longer than a bank takes.',
    'advice.REFUND_OVERDUE': 'Ask the bank for the refund’s outcome, then close the case.',
  },
  fr: {
    'name.AMOUNT_MISMATCH': 'Autre montant',
    'meaning.AMOUNT_MISMATCH': 'Le montant reçu n’est pas celui de la demande de paiement.',
    'advice.AMOUNT_MISMATCH': 'Acceptez le montant si le marchand est d’accord, sinon rendez-le.',
    'name.CURRENCY_MISMATCH': 'Autre devise',
    'meaning.CURRENCY_MISMATCH': 'L’argent reçu est dans une autre devise que celle du service.',
    'advice.CURRENCY_MISMATCH': FR_AT_THE_BANK,
    'name.REFERENCE_REUSED': 'Référence déjà utilisée',
    'meaning.REFERENCE_REUSED':
      'L’argent a été annoncé sous la référence d’une autre demande de paiement.',
    'advice.REFERENCE_REUSED': FR_AT_THE_BANK,
    'name.SECOND_PAYMENT': 'Payé une seconde fois',
    'meaning.SECOND_PAYMENT': 'De l’argent est arrivé pour une demande de paiement déjà payée.',
    'advice.SECOND_PAYMENT':
      'Rendez-le, ou attribuez-le à la demande de paiement que le payeur visait.',
    'name.UNKNOWN_PAYMENT_REQUEST': 'Demande de paiement inconnue',
    'meaning.UNKNOWN_PAYMENT_REQUEST':
      'De l’argent a été annoncé pour une demande de paiement qui n’existe pas.',
    'advice.UNKNOWN_PAYMENT_REQUEST':
      'Attribuez-le à la demande de paiement que le payeur visait, ou rendez-le par la banque.',
    'name.PROCESSING_OVERDUE': 'En cours depuis trop longtemps',
    'meaning.PROCESSING_OVERDUE':
      'Un paiement est en cours depuis plus longtemps que le réseau n’en prend.',
    'advice.PROCESSING_OVERDUE':
      'Demandez l’issue au réseau\u00a0; le service prend son rapport. Puis fermez le dossier.',
    'name.MONEY_RETURNED': 'Argent repris',
    'meaning.MONEY_RETURNED': 'L’argent d’une demande de paiement payée a été repris.',
    'advice.MONEY_RETURNED':
      'Assurez-vous que le marchand le sait\u00a0: la marchandise est peut-être partie. Puis ' +
      'fermez le dossier.',
    'name.PART_PAYMENT': 'Payé en partie',
    'meaning.PART_PAYMENT':
      'Des parties du montant sont arrivées pour une demande de paiement terminée.',
    'advice.PART_PAYMENT': 'Attendez le reste, acceptez les parties comme paiement, ou rendez-les.',
    'name.WRONG_ACCOUNT': 'Sur un autre compte',
    'meaning.WRONG_ACCOUNT': 'L’argent nomme une demande de paiement qui montre un autre compte.',
    'advice.WRONG_ACCOUNT':
      'Acceptez-le si le compte est celui du marchand, sinon attribuez-le ou rendez-le.',
    'name.CORRECTED_BOOKING': 'Écriture corrigée',
    'meaning.CORRECTED_BOOKING':
      'La banque a renvoyé une écriture sous la même référence, avec d’autres valeurs.',
    'advice.CORRECTED_BOOKING':
      'Demandez à la banque quelle écriture est juste. Remplacez l’ancienne, ou attribuez cet ' +
      'argent s’il est venu en plus.',
    'name.AMBIGUOUS_REFERENCE': 'Références peu claires',
    'meaning.AMBIGUOUS_REFERENCE':
      'L’argent nomme deux demandes de paiement, ou ses détails ne concordent pas.',
    'advice.AMBIGUOUS_REFERENCE':
      'Demandez au payeur, et attribuez-le à la demande de paiement qu’il visait.',
    'name.AMOUNT_ABOVE_LIMIT': 'Au-dessus de la limite automatique',
    'meaning.AMOUNT_ABOVE_LIMIT':
      'L’argent dépasse le montant jusqu’auquel personne ne doit décider.',
    'advice.AMOUNT_ABOVE_LIMIT':
      'Comparez-le aux relevés de la banque, puis acceptez-le ou rendez-le.',
    'name.UNMATCHED_MONEY': 'Argent non rapproché',
    'meaning.UNMATCHED_MONEY':
      'De l’argent avec une référence de ce service ne va avec aucune demande de paiement.',
    'advice.UNMATCHED_MONEY':
      'Attribuez-le à la demande de paiement que le payeur visait, ou rendez-le par la banque.',
    'name.REFUNDED_OUTSIDE': 'Remboursé par la banque',
    'meaning.REFUNDED_OUTSIDE':
      'La banque du marchand a rendu de l’argent sans passer par ce service.',
    'advice.REFUNDED_OUTSIDE':
      'Acceptez-le comme remboursement de la demande, pour que les sommes soient justes.',
    'name.NOT_ON_STATEMENT': 'Absent du relevé',
    'meaning.NOT_ON_STATEMENT':
      'Un message a annoncé de l’argent qu’aucun relevé de son jour ne contient.',
    'advice.NOT_ON_STATEMENT':
      'Importez le relevé qui le contient, et l’argent compte. Sinon, fermez le dossier.',
    'name.REFUNDED_AND_RETURNED': 'Remboursé et repris',
    'meaning.REFUNDED_AND_RETURNED':
      'De l’argent a été repris alors qu’un remboursement l’avait déjà rendu.',
    'advice.REFUNDED_AND_RETURNED':
      'Le marchand a payé deux fois\u00a0: réclamez le remboursement au payeur, puis fermez le ' +
      'dossier.',
    'name.REFUND_ACCOUNT_UNCLEAR': 'Compte du remboursement incertain',
    'meaning.REFUND_ACCOUNT_UNCLEAR':
      'Un remboursement concerne des paiements venus de plusieurs comptes.',
    'advice.REFUND_ACCOUNT_UNCLEAR': 'Choisissez le paiement à rendre.',
    'name.REFUND_AMOUNT': 'Remboursement d’un autre montant',
    'meaning.REFUND_AMOUNT':
      'La banque a comptabilisé un remboursement, ou son retour, d’un montant que rien n’explique.',
    'advice.REFUND_AMOUNT':
      'Demandez à la banque, puis acceptez la différence comme frais ou correction de sa part.',
    'name.REFUND_OVERDUE': 'Remboursement en cours depuis trop longtemps',
    'meaning.REFUND_OVERDUE':
      'Un remboursement est en cours depuis plus longtemps qu’une banque n’en prend.',
    'advice.REFUND_OVERDUE': 'Demandez l’issue à la banque, puis fermez le dossier.',
  },
};

/** The names of the kinds of cases, their meanings, and an operator's next step. */
export const CASE_TEXTS = compileTexts(CATALOGUE);
