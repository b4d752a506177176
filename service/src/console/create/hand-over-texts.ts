import { type Catalogue, compileTexts } from '#http/pages/texts.ts';

const en = {
  title: 'Hand over the payment link',
  created: 'The payment request is created.',
  amount: 'Amount',
  payer: 'Payer',
  expires: 'Payable until',
  link: 'Payment link',
  linkLead: 'Everybody who has the link can open it. Send it to the payer alone.',
  qrCode: 'QR code',
  qrLead: 'The payer’s phone opens the link with its camera.',
  email: 'E-mail to the payer',
  emailLead: 'Written in the payer’s language. We send nothing: send it from your own mailbox.',
  subject: 'Subject',
  text: 'Text of the e-mail',
  openMail: 'Open in your e-mail program',
  copy: 'Copy',
  copyOf: 'Copy: {label}',
  copied: 'Copied: #',
  marked: 'Marked: #. Copy it with the keyboard.',
  open: 'Open the payment request',
  another: 'Create another',
  closed: 'The payer can no longer pay by this link, so there is nothing to hand over.',
} as const;

const fr: Readonly<Record<keyof typeof en, string>> = {
  title: 'Remettre le lien de paiement',
  created: 'La demande de paiement est créée.',
  amount: 'Montant',
  payer: 'Payeur',
  expires: 'Payable jusqu’au',
  link: 'Lien de paiement',
  linkLead: 'Toute personne qui a le lien peut l’ouvrir. Envoyez-le au payeur seul.',
  qrCode: 'Code QR',
  qrLead: 'Le téléphone du payeur ouvre le lien avec son appareil photo.',
  email: 'Courriel au payeur',
  emailLead:
    'Rédigé dans la langue du payeur. Nous n’envoyons rien\u00a0: envoyez-le de votre messagerie.',
  subject: 'Objet',
  text: 'Texte du courriel',
  openMail: 'Ouvrir dans votre messagerie',
  copy: 'Copier',
  copyOf: 'Copier\u00a0: {label}',
  copied: 'Copié\u00a0: #',
  marked: 'Sélectionné\u00a0: #. Copiez avec le clavier.',
  open: 'Ouvrir la demande de paiement',
  another: 'En créer une autre',
  closed: 'Le payeur ne peut plus payer par ce lien\u00a0: il n’y a rien à remettre.',
};

const CATALOGUE: Catalogue<keyof typeof en> = { en, fr };

export const HAND_OVER_TEXTS = compileTexts(CATALOGUE);
