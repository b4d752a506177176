import { type Catalogue, compileTexts } from '#http/pages/texts.ts';

/** Every shortcut of the script `console-list`, in the order of the page that lists them. */
export const SHORTCUT_KEYS = [
  { keys: ['/'], act: 'search' },
  { keys: ['j'], act: 'down' },
  { keys: ['k'], act: 'up' },
  { keys: ['Enter'], act: 'open' },
  { keys: ['f'], act: 'filters' },
  { keys: ['n'], act: 'next' },
  { keys: ['p'], act: 'first' },
  { keys: ['c'], act: 'create' },
  { keys: ['?'], act: 'help' },
] as const;

const en = {
  title: 'Keyboard shortcuts',
  lead: 'Every page works with Tab and Enter alone. These keys are faster.',
  switch: 'Use single-key shortcuts in this browser',
  noScript: 'Shortcuts need scripts, which this browser does not run.',
  arrows: 'On a row of a list the arrow keys also move up and down, with shortcuts on or off.',
  key: 'Key',
  act: 'Effect',
  'act.search': 'Go to the search',
  'act.down': 'Next row of the list',
  'act.up': 'Row before it',
  'act.open': 'Open the row',
  'act.filters': 'Open the filters',
  'act.next': 'Next page of the list',
  'act.first': 'First page of the list',
  'act.create': 'Create what the list shows, where your role allows it',
  'act.help': 'This page, from any list',
} as const;

const fr: Readonly<Record<keyof typeof en, string>> = {
  title: 'Raccourcis clavier',
  lead: 'Chaque page s’utilise avec Tab et Entrée seules. Ces touches sont plus rapides.',
  switch: 'Utiliser les raccourcis à une touche dans ce navigateur',
  noScript: 'Les raccourcis exigent des scripts, que ce navigateur n’exécute pas.',
  arrows:
    'Sur une ligne de liste, les flèches déplacent aussi vers le haut et le bas, raccourcis ' +
    'activés ou non.',
  key: 'Touche',
  act: 'Effet',
  'act.search': 'Aller à la recherche',
  'act.down': 'Ligne suivante de la liste',
  'act.up': 'Ligne précédente',
  'act.open': 'Ouvrir la ligne',
  'act.filters': 'Ouvrir les filtres',
  'act.next': 'Page suivante de la liste',
  'act.first': 'Première page de la liste',
  'act.create': 'Créer un élément de la liste, si votre rôle le permet',
  'act.help': 'Cette page, depuis toute liste',
};

const CATALOGUE: Catalogue<keyof typeof en> = { en, fr };

export const SHORTCUT_TEXTS = compileTexts(CATALOGUE);
