import { type Catalogue, compileTexts } from '#http/pages/texts.ts';

type Key =
  | 'title'
  | 'leadMerchant'
  | 'leadOperator'
  | 'when'
  | 'who'
  | 'what'
  | 'merchant'
  | 'details'
  | 'position'
  | 'filters'
  | 'action'
  | 'actor'
  | 'since'
  | 'until'
  | 'apply'
  | 'clear'
  | 'none'
  | 'noneFiltered'
  | 'first'
  | 'next'
  | 'pages'
  | 'export'
  | 'exportHint'
  | 'verify'
  | 'verifyTitle'
  | 'verifyLead'
  | 'verifyNever'
  | 'verifyAll'
  | 'verifyOn'
  | 'verifyAgain'
  | 'verifiedFine'
  | 'verifiedFaulty'
  | 'verifyPartly'
  | 'result'
  | 'entries'
  | 'faults'
  | 'lastRun'
  | 'by'
  | 'head'
  | 'headHint'
  | 'was'
  | 'back';

const CATALOGUE: Catalogue<Key> = {
  en: {
    title: 'Audit log',
    leadMerchant: 'Acts on your access, endpoints, money and settings: who did what, and when.',
    leadOperator: 'Acts on access, endpoints, money and settings of every merchant.',
    when: 'When',
    who: 'Who',
    what: 'Act',
    merchant: 'Merchant',
    details: 'Details',
    position: 'Position',
    filters: 'Filters',
    action: 'Act',
    actor: 'Who (a part of the name)',
    since: 'From (UTC)',
    until: 'Until and with (UTC)',
    apply: 'Apply',
    clear: 'Clear the filters',
    none: 'Nothing has been recorded yet. Every act on access, money and settings appears here.',
    noneFiltered: 'No entry matches these filters.',
    first: 'Newest',
    next: 'Older',
    pages: 'Pages of the audit log',
    export: 'Export all as JSON lines',
    exportHint: 'Keep exports outside of this service: they prove later what was recorded.',
    verify: 'Verify the log',
    verifyTitle: 'Verify the audit log',
    verifyLead:
      'Each entry holds the hash of the one before. This reads the log and proves that no ' +
      'entry was changed, deleted or inserted.',
    verifyNever: 'The log was not verified on the console yet.',
    verifyAll: 'Verify from the beginning',
    verifyOn: 'Go on',
    verifyAgain: 'Verify again',
    verifiedFine: 'Unchanged',
    verifiedFaulty: 'Faults found',
    verifyPartly: 'Not finished',
    result: 'Result',
    entries: 'Verified entries',
    faults: 'Faults',
    lastRun: 'Last run',
    by: 'By',
    head: 'Head',
    headHint:
      'Keep the head outside of this service, and give it to payreq audit verify --head ' +
      'later. For a very large log, run that command.',
    was: 'was',
    back: 'Back to the audit log',
  },
  fr: {
    title: 'Journal d’audit',
    leadMerchant:
      'Les actes sur vos accès, destinations, argent et réglages\u00a0: qui a fait quoi, et quand.',
    leadOperator: 'Les actes sur les accès, destinations, argent et réglages de chaque marchand.',
    when: 'Quand',
    who: 'Qui',
    what: 'Acte',
    merchant: 'Marchand',
    details: 'Détails',
    position: 'Position',
    filters: 'Filtres',
    action: 'Acte',
    actor: 'Qui (une partie du nom)',
    since: 'Depuis (UTC)',
    until: 'Jusqu’au, inclus (UTC)',
    apply: 'Appliquer',
    clear: 'Effacer les filtres',
    none:
      'Rien n’est encore consigné. Chaque acte sur les accès, l’argent et les réglages paraît ' +
      'ici.',
    noneFiltered: 'Aucune entrée ne correspond à ces filtres.',
    first: 'Les plus récentes',
    next: 'Plus anciennes',
    pages: 'Pages du journal d’audit',
    export: 'Exporter le tout en lignes JSON',
    exportHint:
      'Gardez les exports hors de ce service\u00a0: ils prouvent plus tard ce qui fut ' +
      'consigné.',
    verify: 'Vérifier le journal',
    verifyTitle: 'Vérifier le journal d’audit',
    verifyLead:
      'Chaque entrée contient l’empreinte de la précédente. La vérification lit le journal et ' +
      'prouve qu’aucune entrée n’a été modifiée, supprimée ou insérée.',
    verifyNever: 'Le journal n’a pas encore été vérifié dans la console.',
    verifyAll: 'Vérifier depuis le début',
    verifyOn: 'Continuer',
    verifyAgain: 'Vérifier de nouveau',
    verifiedFine: 'Intact',
    verifiedFaulty: 'Fautes trouvées',
    verifyPartly: 'Inachevé',
    result: 'Résultat',
    entries: 'Entrées vérifiées',
    faults: 'Fautes',
    lastRun: 'Dernier passage',
    by: 'Par',
    head: 'Tête',
    headHint:
      'Gardez la tête hors de ce service, et donnez-la plus tard à payreq audit verify ' +
      '--head. Pour un très grand journal, lancez cette commande.',
    was: 'auparavant',
    back: 'Retour au journal d’audit',
  },
};

export const AUDIT_TEXTS = compileTexts(CATALOGUE);
