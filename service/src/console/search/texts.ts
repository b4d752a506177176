import { compileTexts } from '#http/pages/texts.ts';

export const SEARCH_TEXTS = compileTexts({
  en: {
    title: 'Search',
    results: '{count, plural, one {One payment request found} other {# payment requests found}}',
    more: 'These are the best {count}. Search for an id or a reference to find others.',
    none: 'Nothing was found',
    noneWhy:
      'No payment request that you may see has this id, short code, reference, customer number, ' +
      'e-mail address, phone number or amount.',
    noneNext:
      'Check the spelling. References and amounts must be whole: search for 249.90, not for 249.',
    list: 'Payment requests',
    amount: 'Amount',
    status: 'Status',
    payer: 'Payer',
    reference: 'Reference',
    merchant: 'Merchant',
    created: 'Created',
    open: 'Payment request',
    again: 'Search for something else',
    hint:
      'Id, short code or payment link, any reference, customer number, e-mail, phone, or amount ' +
      'such as 249.90.',
    search: 'Search',
  },
  fr: {
    title: 'Recherche',
    results:
      '{count, plural, one {Une demande de paiement trouvée} ' +
      'other {# demandes de paiement trouvées}}',
    more:
      'Voici les {count} meilleurs résultats. Cherchez un identifiant ou une référence pour en ' +
      'trouver d’autres.',
    none: 'Rien n’a été trouvé',
    noneWhy:
      'Aucune demande de paiement que vous pouvez voir n’a cet identifiant, ce code court, cette ' +
      'référence, ce numéro de client, ce courriel, ce téléphone ou ce montant.',
    noneNext:
      'Vérifiez la saisie. Références et montants doivent être entiers\u00a0: cherchez 249,90 et ' +
      'non 249.',
    list: 'Demandes de paiement',
    amount: 'Montant',
    status: 'État',
    payer: 'Payeur',
    reference: 'Référence',
    merchant: 'Marchand',
    created: 'Création',
    open: 'Demande de paiement',
    again: 'Chercher autre chose',
    hint:
      'Identifiant, code court ou lien de paiement, toute référence, numéro de client, courriel, ' +
      'téléphone, ou ' +
      'montant tel que 249,90.',
    search: 'Rechercher',
  },
});
