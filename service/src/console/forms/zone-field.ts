import { html } from 'ghtml';
import type { Option } from './form-field.ts';

/** The names of all time zones; the list of the platform leaves UTC out. */
const ZONES: readonly string[] = [...Intl.supportedValuesOf('timeZone'), 'UTC'];

/**
 * A choice of a time zone, or of none.
 * @param none the words for no choice
 */
export function zoneField(
  shown: { readonly label: string; readonly hint: string; readonly value: string | null },
  none: string,
) {
  const { value } = shown;
  // A zone that was set by another of its names stays.
  const names = value === null || ZONES.includes(value) ? ZONES : [value, ...ZONES];
  const options: Option[] = names.map((name) => [name, html`${name}`]);
  const choices: readonly Option[] = [['', html`${none}`], ...options];
  return { ...shown, name: 'timeZone', kind: 'choice', options: choices } as const;
}
