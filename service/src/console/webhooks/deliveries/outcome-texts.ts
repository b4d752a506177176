import { compileTexts } from '#http/pages/texts.ts';
import { END_REASONS } from '#webhooks/model/delivery.ts';
import { DELIVERY_OUTCOMES } from '#webhooks/model/outcomes.ts';

/** How attempts ended and why deliveries were given up: in English as the API says it. */
export const OUTCOME_TEXTS = compileTexts({
  en: { ...DELIVERY_OUTCOMES, ...END_REASONS },
  fr: {
    SUCCEEDED: 'L’écouteur a répondu 2xx.',
    REDIRECTED: 'L’écouteur a répondu 3xx\u00a0; les redirections ne sont jamais suivies.',
    GONE: 'L’écouteur a répondu 410\u00a0: il ne veut plus rien à cette URL.',
    REFUSED_BY_LISTENER: 'L’écouteur a répondu un autre code que 2xx.',
    TIMED_OUT: 'L’échange n’était pas terminé en 15\u00a0s.',
    CONNECT_TIMED_OUT: 'Aucune connexion TLS n’a été établie en 5\u00a0s.',
    NAME_TIMED_OUT: 'Le nom n’a pas été résolu en 2\u00a0s.',
    NAME_NOT_RESOLVED: 'Le nom n’a pas d’adresse, ou ses serveurs de noms ont échoué.',
    FORBIDDEN_URL: 'L’URL n’est pas permise aux webhooks (schéma, port, parties).',
    FORBIDDEN_ADDRESS: 'Le nom mène à une adresse qui n’est pas publique.',
    CONNECTION_REFUSED: 'Rien n’écoute à l’adresse et au port.',
    UNREACHABLE: 'Aucun chemin ne mène à l’adresse.',
    CONNECTION_LOST: 'La connexion a pris fin avant que la réponse soit entière.',
    CERTIFICATE_INVALID: 'Le certificat ne vaut pas pour le nom, n’est pas reconnu, ou a expiré.',
    TLS_FAILED: 'La connexion TLS a échoué.',
    MALFORMED_ANSWER: 'La réponse n’est pas du HTTP.',
    ANSWER_TOO_LARGE: 'Les en-têtes de la réponse sont trop grands.',
    UNKNOWN_FAILURE: 'L’essai a échoué pour une raison inconnue.',
    ATTEMPTS_EXHAUSTED: 'Aucun essai n’a reçu de réponse 2xx.',
    ENDPOINT_DELETED: 'La destination de webhooks a été supprimée.',
    RETENTION_ENDED: 'L’événement a été gardé pour sa durée, et l’écouteur était inaccessible.',
    LISTENER_FAILING: 'L’écouteur n’a rien répondu de 2xx depuis cinq jours.',
  },
});
