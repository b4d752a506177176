import { html } from 'ghtml';
import { formOf, zoneField } from '#console/forms/form-field.ts';
import type { Visit } from '#console/shell/visit.ts';
import { localizedAmount } from '#http/negotiation/localized-values.ts';
import { cellMark } from '#lib/cells/cell-mark.ts';
import { isHexColour } from '#lib/text-forms.ts';
import {
  EMPTY_PROFILE,
  logoPath,
  type MerchantProfile,
  PROFILE_OPTIONS,
} from '#merchants/profile/profile.ts';
import { LONGEST_PROFILE_TEXTS } from '#merchants/profile/validate-profile.ts';
import { OPERATOR_TEXTS } from './parts.ts';

const TYPED = Object.keys(LONGEST_PROFILE_TEXTS) as (keyof typeof LONGEST_PROFILE_TEXTS)[];
export const PROFILE_TEXTS = [...TYPED, 'timeZone'] as const;

/** The fields of a profile, filled with the values in force. */
export function profileFields(
  { language, bookZone }: Visit,
  profile: MerchantProfile = EMPTY_PROFILE,
) {
  const { text } = OPERATOR_TEXTS[language];
  const zone = {
    label: text('profile.timeZone'),
    hint: text('timeZoneHint'),
    value: profile.timeZone,
  };
  return formOf(
    ...TYPED.map((name) => ({
      name,
      label: text(`profile.${name}`),
      value: profile[name],
      maxLength: LONGEST_PROFILE_TEXTS[name],
      ...(name === 'accentColour' && { kind: 'colour' as const, hint: text('accentHint') }),
      ...(name.startsWith('support') && { isHalf: true as const }),
    })),
    zoneField(zone, text('timeZoneNone', { zone: bookZone })),
    {
      name: 'logo',
      kind: 'file',
      label: text('logo'),
      hint: text('logoHint'),
      accept: 'image/png',
      words: { choose: text('logoChoose'), none: text('logoNoFile') },
    },
    ...(profile.logoHash === null
      ? []
      : [{ name: 'logoRemove', kind: 'check', label: html`${text('logoRemove')}` } as const]),
  );
}

/** The change that a posted form asks for: an emptied field removes its value. */
export function readProfileForm(form: URLSearchParams) {
  const given = PROFILE_TEXTS.map((name) => [name, form.get(name)?.trim() ?? ''] as const);
  const texts = Object.fromEntries(given.filter(([, value]) => value !== ''));
  const emptied = given.filter(([, value]) => value === '').map(([name]) => PROFILE_OPTIONS[name]);
  const remove = form.has('logoRemove') ? [...emptied, PROFILE_OPTIONS.logoHash] : emptied;
  const file = form.get('logo');
  return { texts, logo: file ? Buffer.from(file, 'base64') : null, remove };
}

/** An amount that looks like one of many. */
const SAMPLE_CENTS = 2_550;

export interface PreviewedMerchant {
  readonly name: string;
  readonly profile: MerchantProfile;
  /** `CELL`; a merchant that has no logo yet needs none. */
  readonly cell?: number;
}

/**
 * The head of a payer's page with the profile as it is saved or was sent; a script follows what a
 * person types. It has the parts of that page, also those that the profile lacks.
 */
export function profilePreview(
  { language, currency }: Visit,
  { name, profile, cell = 0 }: PreviewedMerchant,
  sent?: URLSearchParams,
): string {
  const { text } = OPERATOR_TEXTS[language];
  const typed = (field: 'name' | 'displayName' | 'accentColour', saved: string | null) =>
    (sent?.has(field) ? sent.get(field)?.trim() : saved) ?? '';
  const registered = typed('name', name) || name;
  const shown = typed('displayName', profile.displayName) || registered;
  const colour = typed('accentColour', profile.accentColour);
  const hasColour = isHexColour(colour);
  const src = profile.logoHash && logoPath(`${cellMark(cell)}${profile.logoHash}`);
  return html`<section class="card preview" data-preview="${name}"><h2>${text('preview')}</h2>
<div class="payer-page"><div class="merchant"><svg class="stripe" viewBox="0 0 1 1"
 preserveAspectRatio="none" aria-hidden="true" focusable="false"!${hasColour ? '' : ' hidden'}><path
 fill="${hasColour ? colour : 'none'}" d="M0 0h1v1H0z"/></svg><img alt="" src="${src || 'data:,'}"
!${src ? '' : ' hidden'}><p><strong><bdi>${shown}</bdi></strong>
<span class="small"!${shown === registered ? ' hidden' : ''}>${text('merchant.registered')}
<bdi>${registered}</bdi></span></p></div>
<p class="number">${localizedAmount(language, SAMPLE_CENTS, currency)}</p>
<p class="lines" aria-hidden="true"><span></span><span></span><span></span></p></div>
<p class="small">${text('previewNote')}</p></section>`;
}
