import { html } from 'ghtml';
import { table } from '#console/components/table.ts';
import type { ConsoleRoutes } from '#console/shell/console-routes.ts';
import { SHORTCUT_KEYS, SHORTCUT_TEXTS } from './shortcut-texts.ts';

/** The list of the shortcuts, with the switch that the script `console-list` gives a meaning. */
export function registerShortcutsPage(routes: ConsoleRoutes): void {
  routes.page({
    path: '/shortcuts',
    action: 'account.use',
    show({ language }) {
      const { text } = SHORTCUT_TEXTS[language];
      const columns = [
        {
          title: text('key'),
          isRowHeader: true as const,
          cell: ({ keys }: (typeof SHORTCUT_KEYS)[number]) =>
            keys.map((key) => html`<kbd>${key}</kbd>`).join(' '),
        },
        {
          title: text('act'),
          cell: ({ act }: (typeof SHORTCUT_KEYS)[number]) => html`${text(`act.${act}`)}`,
        },
      ];
      return {
        title: text('title'),
        section: 'account',
        body: html`<h1>${text('title')}</h1><p>${text('lead')}</p>
<p hidden><label class="choice"><input type="checkbox" id="shortcuts-on">
${text('switch')}</label></p>
<noscript><p>${text('noScript')}</p></noscript>
!${table(text('title'), columns, SHORTCUT_KEYS)}<p class="small">${text('arrows')}</p>`,
      };
    },
  });
}
