import { compileTexts } from '#http/pages/texts.ts';
import { END_REASONS } from '#webhooks/model/delivery.ts';
import { DELIVERY_OUTCOMES } from '#webhooks/model/outcomes.ts';

/** How attempts ended and why deliveries were given up: in English as the API says it. */
export const OUTCOME_TEXTS = compileTexts({
  en: { ...DELIVERY_OUTCOMES, ...END_REASONS },
  fr: {
    SUCCEEDED: 'Le serveur a répondu 2xx.',
    REDIRECTED: 'Le serveur a répondu 3xx\u00a0; les redirections ne sont jamais suivies.',
    GONE: 'Le serveur a répondu 410\u00a0: il ne veut plus rien recevoir à cette URL.',
    REFUSED_BY_LISTENER: 'Le serveur a répondu un autre statut que 2xx.',
    TIMED_OUT: 'L’échange n’était pas terminé après 15\u00a0s.',
    CONNECT_TIMED_OUT: 'Aucune connexion TLS n’a été établie en 5\u00a0s.',
    NAME_TIMED_OUT: 'Le nom n’a pas été résolu en 2\u00a0s.',
    NAME_NOT_RESOLVED: 'Le nom n’a pas d’adresse, ou ses serveurs de noms ont échoué.',
    FORBIDDEN_URL: 'Les webhooks ne peuvent pas aller à cette URL (schéma, port, parties).',
    FORBIDDEN_ADDRESS: 'Le nom mène à une adresse qui n’est pas publique.',
    CONNECTION_REFUSED: 'Rien n’écoute à cette adresse et à ce port.',
    UNREACHABLE: 'Aucun chemin ne mène à l’adresse.',
    CONNECTION_LOST: 'La connexion s’est terminée avant la réponse complète.',
    CERTIFICATE_INVALID: 'Le certificat n’est pas valable pour le nom, non reconnu ou expiré.',
    TLS_FAILED: 'Aucune connexion TLS 1.2 ou plus récente n’a pu être convenue.',
    MALFORMED_ANSWER: 'La réponse n’était pas du HTTP/1.1.',
    ANSWER_TOO_EARLY:
      'Le serveur a envoyé des octets avant la requête\u00a0: ils n’y répondent pas.',
    ANSWER_TOO_LARGE: 'L’en-tête de la réponse, ou le cadre de son corps, était trop grand.',
    UNKNOWN_FAILURE: 'Autre chose a échoué entre le service et le serveur.',
    ATTEMPTS_EXHAUSTED: 'Aucune tentative n’a reçu de réponse 2xx.',
    ENDPOINT_DELETED: 'La destination de webhooks a été supprimée.',
    RETENTION_ENDED: 'La durée de conservation est passée sans que le serveur soit joignable.',
    LISTENER_FAILING: 'Le serveur n’a donné aucune réponse 2xx depuis cinq jours.',
  },
});
