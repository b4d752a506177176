import { type Catalogue, compileTexts } from '#http/pages/texts.ts';

const en = {
  title: 'Saved view',
  name: 'Name of the view',
  lead: 'A view of the list “{list}”. Only you see it.',
  save: 'Save',
  rename: 'Rename',
  delete: 'Delete this view',
  deleteHint: 'Only the view is deleted, nothing of the list.',
  back: 'Back to the list',
  'fault.NAME_MISSING': 'Give the view a name.',
  'fault.NAME_TOO_LONG': 'Give the view at most {most} characters.',
  'fault.NAME_TAKEN': 'A view of this list has this name. Choose another.',
  'fault.TOO_MANY': 'You have {most} views at this merchant. Delete one first.',
  'fault.QUERY_TOO_LONG': 'These filters are too long to be kept. Take one away.',
} as const;

const fr: Readonly<Record<keyof typeof en, string>> = {
  title: 'Vue enregistrée',
  name: 'Nom de la vue',
  lead: 'Une vue de la liste «\u00a0{list}\u00a0». Vous seul la voyez.',
  save: 'Enregistrer',
  rename: 'Renommer',
  delete: 'Supprimer cette vue',
  deleteHint: 'Seule la vue est supprimée, rien de la liste.',
  back: 'Retour à la liste',
  'fault.NAME_MISSING': 'Donnez un nom à la vue.',
  'fault.NAME_TOO_LONG': 'Donnez à la vue au plus {most} caractères.',
  'fault.NAME_TAKEN': 'Une vue de cette liste porte ce nom. Choisissez-en un autre.',
  'fault.TOO_MANY': 'Vous avez {most} vues chez ce marchand. Supprimez-en une d’abord.',
  'fault.QUERY_TOO_LONG': 'Ces filtres sont trop longs pour être gardés. Retirez-en un.',
};

const CATALOGUE: Catalogue<keyof typeof en> = { en, fr };

export const SAVED_VIEW_TEXTS = compileTexts(CATALOGUE);
