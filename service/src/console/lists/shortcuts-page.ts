import { html } from 'ghtml';
import { column, rowHeader, table } from '#console/components/table.ts';
import type { ConsoleRoutes } from '#console/shell/console-routes.ts';
import { pageTexts } from '#http/pages/texts.ts';

const SHORTCUT_TEXTS = pageTexts('console.lists.shortcuts');

/** Every shortcut of the script `console-list`, in the order of the page that lists them. */
const SHORTCUT_KEYS = [
  { keys: ['/'], act: 'search' },
  { keys: ['Ctrl', 'K'], act: 'palette' },
  { keys: ['j'], act: 'down' },
  { keys: ['k'], act: 'up' },
  { keys: ['Enter'], act: 'open' },
  { keys: ['f'], act: 'filters' },
  { keys: ['n'], act: 'next' },
  { keys: ['p'], act: 'first' },
  { keys: ['c'], act: 'create' },
  { keys: ['?'], act: 'help' },
] as const;

/** The list of the shortcuts, with the switch that the script `console-list` gives a meaning. */
export function registerShortcutsPage(routes: ConsoleRoutes): void {
  routes.page('/shortcuts', 'account.use', (_, { language }) => {
    const { text } = SHORTCUT_TEXTS[language];
    const columns = [
      rowHeader(text('key'), ({ keys }: (typeof SHORTCUT_KEYS)[number]) =>
        keys.map((key) => html`<kbd>${key}</kbd>`).join(' '),
      ),
      column(text('act'), ({ act }: (typeof SHORTCUT_KEYS)[number]) => html`${text(`act.${act}`)}`),
    ];
    return {
      title: text('title'),
      body: html`<h1>${text('title')}</h1><p>${text('lead')}</p>
<p hidden><label class="choice"><input type="checkbox" id="shortcuts-on">
${text('switch')}</label></p>
<noscript><p>${text('noScript')}</p></noscript>
!${table(text('title'), columns, SHORTCUT_KEYS)}<p class="small">${text('arrows')}</p>`,
    };
  });
}
