import type { Catalogue } from '#http/pages/texts.ts';

/** Typographic apostrophes throughout: a straight one is an escape in an ICU message. */
const en = {
  'sandbox.notice': 'Sandbox: a test environment. No money moves here.',
  'sandbox.title': 'This test link can’t be paid',
  'sandbox.lead':
    'It was made in the sandbox, where every payment link ends on this page. That is expected: ' +
    'nothing is broken.',
  'sandbox.payerHeading': 'If you were asked to pay',
  'sandbox.payerText':
    'You have not paid anything. This test link reached you by mistake: ask the business that ' +
    'sent it for a real one. You can close this window.',
  'sandbox.integratorHeading': 'If you are building an integration',
  'sandbox.integratorText':
    'In the sandbox a simulator plays the payer. Create a payment request with one of these ' +
    'values as <code>payer.name</code>, then wait for the webhook or read the status.',
  'sandbox.depositSubmit': 'PAID after about 10 seconds',
  'sandbox.depositSubmitAfter': 'PAID after 30 seconds (0 to 3600)',
  'sandbox.depositDecline': 'FAILED: the payer declines',
  'sandbox.depositFail': 'FAILED for that reason',
  'sandbox.depositProcessing': 'PROCESSING, then PAID',
  'sandbox.depositExpire': 'EXPIRED',
  'sandbox.depositLate': 'EXPIRED, then PAID late',
  'sandbox.integratorEnd': 'Links that can be paid exist only in production.',
} as const;

export type SandboxLinkText = keyof typeof en;

const fr: Record<SandboxLinkText, string> = {
  'sandbox.notice': 'Environnement d’essai (sandbox)\u00a0: aucun argent n’est transféré ici.',
  'sandbox.title': 'Ce lien d’essai ne peut pas être payé',
  'sandbox.lead':
    'Il a été créé dans l’environnement d’essai, où tous les liens de paiement mènent à cette ' +
    'page. C’est normal\u00a0: rien n’est en panne.',
  'sandbox.payerHeading': 'Si on vous a demandé de payer',
  'sandbox.payerText':
    'Vous n’avez rien payé. Ce lien d’essai vous est parvenu par erreur\u00a0: demandez un vrai ' +
    'lien à l’entreprise qui l’a envoyé. Vous pouvez fermer cette fenêtre.',
  'sandbox.integratorHeading': 'Si vous développez une intégration',
  'sandbox.integratorText':
    'Dans l’environnement d’essai, un simulateur joue le rôle du payeur. Créez une demande de ' +
    'paiement avec l’une de ces valeurs comme <code>payer.name</code>, puis attendez la ' +
    'notification ou lisez l’état.',
  'sandbox.depositSubmit': 'PAID après environ 10 secondes',
  'sandbox.depositSubmitAfter': 'PAID après 30 secondes (0 à 3600)',
  'sandbox.depositDecline': 'FAILED\u00a0: le payeur refuse',
  'sandbox.depositFail': 'FAILED pour ce motif',
  'sandbox.depositProcessing': 'PROCESSING, puis PAID',
  'sandbox.depositExpire': 'EXPIRED',
  'sandbox.depositLate': 'EXPIRED, puis PAID en retard',
  'sandbox.integratorEnd': 'Les liens qui peuvent être payés n’existent qu’en production.',
};

/** The texts of the page that every sandbox link ends on. */
export const SANDBOX_LINK_TEXTS: Catalogue<SandboxLinkText> = { en, fr };
