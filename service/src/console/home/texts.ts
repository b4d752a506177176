import { compileTexts } from '#http/pages/texts.ts';

export const HOME_TEXTS = compileTexts({
  en: {
    title: 'Find a payment',
    lead: 'Search by id, short code, any reference, e-mail, phone or amount.',
    merchants: 'Your merchants',
  },
  fr: {
    title: 'Trouver un paiement',
    lead: 'Recherchez par identifiant, code court, référence, courriel, téléphone ou montant.',
    merchants: 'Vos marchands',
  },
});
