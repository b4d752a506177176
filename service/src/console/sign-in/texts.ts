import { compileTexts } from '#http/pages/texts.ts';

export const SIGN_IN_TEXTS = compileTexts({
  en: {
    title: 'Sign in to the console',
    byLink: 'Ask an operator for a one-time link: <code>payreq console link</code>.',
    press: 'This link signs you in once.',
    signIn: 'Sign in',
    usedTitle: 'This link does not work any more',
    used: 'It was used, or it is older than ten minutes. Ask an operator for a new one.',
  },
  fr: {
    title: 'Ouvrir une session',
    byLink:
      'Demandez un lien à usage unique à l’exploitation\u00a0: <code>payreq console link</code>.',
    press: 'Ce lien ouvre une session, une seule fois.',
    signIn: 'Ouvrir la session',
    usedTitle: 'Ce lien ne fonctionne plus',
    used: 'Il a déjà servi, ou il date de plus de dix minutes. Demandez-en un nouveau.',
  },
});
