import type { FastifyReply, FastifyRequest } from 'fastify';
import { html } from 'ghtml';
import { type Look, type Page, sendPage } from './page.ts';
import { pageLanguage } from './page-language.ts';
import { statusIcon } from './status-icons.ts';
import { type Catalogue, compileTexts } from './texts.ts';

/**
 * The reasons why a page cannot be shown; `unsure`: the outcome of a form that was sent is not
 * known.
 */
export type ErrorPageKind =
  | 'notFound'
  | 'noPage'
  | 'unavailable'
  | 'tooMany'
  | 'outdated'
  | 'unsure';

const STATUS_OF: Readonly<Record<ErrorPageKind, number>> = {
  notFound: 404,
  noPage: 404,
  unavailable: 503,
  tooMany: 429,
  outdated: 403,
  unsure: 503,
};

/** Pages have the wait of calls: a database that is away heals in seconds. */
const RETRY_AFTER_SECONDS = '2';

type Key = `${ErrorPageKind}.${'title' | 'lead' | 'next'}` | 'again' | 'look';

/** Typographic apostrophes throughout: a straight one is an escape in an ICU message. */
export const PAGE_ERROR_TEXTS: Catalogue<Key> = {
  en: {
    'notFound.title': 'We can’t find this payment link',
    'notFound.lead': 'The link may be incomplete or mistyped. Nothing was paid on this page.',
    'notFound.next':
      'Check that you opened the whole link, or ask the business that sent it for a new one. You ' +
      'can close this window.',
    'noPage.title': 'There is no page here',
    'noPage.lead': 'The address may be incomplete or mistyped. Nothing was paid on this page.',
    'noPage.next':
      'If you were sent a payment link, open the whole link. If it does not work, ask the ' +
      'business that sent it for a new one.',
    'unavailable.title': 'We can’t open this page right now',
    'unavailable.lead':
      'Something is not working on our side. Nothing was paid on this page, and the link is ' +
      'still good.',
    'unavailable.next': 'Try again in a minute.',
    'tooMany.title': 'Too many tries',
    'tooMany.lead':
      'There were too many tries from your internet connection: links that don’t exist, wrong ' +
      'passwords, or one link opened too often. Nothing was paid on this page.',
    'tooMany.next': 'Wait a minute, then open your payment link again.',
    'outdated.title': 'This page was out of date',
    'outdated.lead':
      'We did not do what you asked: the page was too old, or your browser did not send the ' +
      'cookie that keeps it safe. Nothing was paid by it.',
    'outdated.next': 'Go on from where you were. Cookies must be allowed for this site.',
    'unsure.title': 'We couldn’t finish that step',
    'unsure.lead':
      'Something is not working on our side, and we can’t say here whether your last step counted.',
    'unsure.next':
      'Look again in a minute, here or by your payment link: it always shows whether you have ' +
      'paid. Don’t pay in another way before you have looked.',
    again: 'Try again',
    look: 'See where the payment stands',
  },
  fr: {
    'notFound.title': 'Ce lien de paiement est introuvable',
    'notFound.lead':
      'Le lien est peut-être incomplet ou mal saisi. Rien n’a été payé sur cette page.',
    'notFound.next':
      'Vérifiez que vous avez ouvert le lien en entier, ou demandez-en un nouveau à l’entreprise ' +
      'qui l’a envoyé. Vous pouvez fermer cette fenêtre.',
    'noPage.title': 'Il n’y a aucune page ici',
    'noPage.lead':
      'L’adresse est peut-être incomplète ou mal saisie. Rien n’a été payé sur cette page.',
    'noPage.next':
      'Si vous avez reçu un lien de paiement, ouvrez-le en entier. S’il ne fonctionne pas, ' +
      'demandez-en un nouveau à l’entreprise qui l’a envoyé.',
    'unavailable.title': 'Impossible d’ouvrir cette page en ce moment',
    'unavailable.lead':
      'Quelque chose ne fonctionne pas de notre côté. Rien n’a été payé sur cette page, et le ' +
      'lien reste valable.',
    'unavailable.next': 'Réessayez dans une minute.',
    'tooMany.title': 'Trop de tentatives',
    'tooMany.lead':
      'Il y a eu trop de tentatives à partir de votre connexion Internet\u00a0: liens ' +
      'inexistants, mots de passe inexacts, ou un même lien ouvert trop souvent. Rien n’a été ' +
      'payé sur cette page.',
    'tooMany.next': 'Attendez une minute, puis ouvrez de nouveau votre lien de paiement.',
    'outdated.title': 'Cette page n’était plus à jour',
    'outdated.lead':
      'Votre demande n’a pas été exécutée\u00a0: la page était trop ancienne, ou votre ' +
      'navigateur n’a pas envoyé le témoin (cookie) qui la protège. Rien n’a été payé.',
    'outdated.next':
      'Reprenez là où vous étiez. Les témoins (cookies) doivent être permis pour ce site.',
    'unsure.title': 'Cette étape n’a pas pu être terminée',
    'unsure.lead':
      'Quelque chose ne fonctionne pas de notre côté, et nous ne pouvons pas dire ici si votre ' +
      'dernière étape a été prise en compte.',
    'unsure.next':
      'Vérifiez dans une minute, ici ou par votre lien de paiement\u00a0: il indique toujours si ' +
      'vous avez payé. Ne payez pas autrement avant d’avoir vérifié.',
    again: 'Réessayer',
    look: 'Voir où en est le paiement',
  },
};

const texts = compileTexts(PAGE_ERROR_TEXTS);

export interface ErrorPageOptions {
  readonly notice: (language: Page['language']) => string | undefined;
  readonly look?: (language: Page['language']) => Look;
}

export interface ErrorPageExtras {
  /** The language that the merchant named for the payer, where it is known. */
  readonly preferredLanguage?: string | null;
  /** The payer goes on at this address; left out: the page has no such link. */
  readonly againAt?: string;
  /** The request headers that the page hangs on; left out: the language. */
  readonly vary?: string;
}

/** Answers a page that says what is in the way, and what to do now. */
export function sendErrorPage(
  request: FastifyRequest,
  reply: FastifyReply,
  obstacle: ErrorPageKind,
  { notice, look }: ErrorPageOptions,
  { preferredLanguage = null, againAt, vary }: ErrorPageExtras = {},
): FastifyReply {
  const language = pageLanguage(request, reply, preferredLanguage);
  const { text } = texts[language];
  if (STATUS_OF[obstacle] === 503) reply.header('retry-after', RETRY_AFTER_SECONDS);
  // A form that may have counted must not be tried again.
  const label = text(obstacle === 'unsure' ? 'look' : 'again');
  const again = againAt
    ? html`<p class="actions"><a class="button" href="${againAt}">${label}</a></p>`
    : '';
  return sendPage(reply, STATUS_OF[obstacle], {
    language,
    title: text(`${obstacle}.title`),
    notice: notice(language),
    ...(look && { look: look(language) }),
    ...(vary && { vary }),
    body: html`!${statusIcon('neutral')}<h1>${text(`${obstacle}.title`)}</h1>
<p class="lead">${text(`${obstacle}.lead`)}</p>
<p>${text(`${obstacle}.next`)}</p>
!${again}`,
  });
}
