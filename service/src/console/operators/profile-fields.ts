import { html } from 'ghtml';
import { formOf } from '#console/forms/form-field.ts';
import { zoneField } from '#console/forms/zone-field.ts';
import type { Visit } from '#console/shell/visit.ts';
import {
  EMPTY_PROFILE,
  type MerchantProfile,
  PROFILE_OPTIONS,
} from '#merchants/profile/profile.ts';
import { LONGEST_PROFILE_TEXTS } from '#merchants/profile/validate-profile.ts';
import { OPERATOR_TEXTS } from './texts.ts';

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
