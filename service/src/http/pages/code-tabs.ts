import { html } from 'ghtml';

export interface Panel {
  readonly label: string;
  /** HTML. */
  readonly body: string;
  /** The anchor that leads to the panel; left out: none. */
  readonly anchor?: string;
}

/**
 * Panels behind radio buttons, the first open: they need no script. A script opens the chosen
 * language in all tabs.
 *
 * @param name unique on the page
 */
export function codeTabs(name: string, legend: string, panels: readonly Panel[]): string {
  const parts = panels.map(({ label, body, anchor }, at) => {
    const id = `${name}-${at}`;
    const isOpen = at === 0 ? ' checked' : '';
    const mark = anchor === undefined ? '' : html` id="${anchor}"`;
    return html`<input type="radio" name="${name}" id="${id}" value="${label}"!${isOpen}><label
 for="${id}"!${mark}>${label}</label><div class="panel">!${body}</div>`;
  });
  return html`<fieldset class="code-tabs"><legend>${legend}</legend>
!${parts.join('\n')}</fieldset>`;
}
