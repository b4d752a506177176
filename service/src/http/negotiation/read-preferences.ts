/** A browser sends about ten; more are not worth reading. */
const MOST_PREFERENCES = 30;

export type Preference = ReturnType<typeof readPreference>;

/** Reads Accept or Accept-Language (RFC 9110 §12.4.2): most wanted first, ties as sent. */
export function readPreferences(header: string | undefined): Preference[] {
  return (header ?? '')
    .split(',', MOST_PREFERENCES)
    .map(readPreference)
    .filter((preference) => preference.value !== '')
    .sort((one, other) => other.quality - one.quality);
}

function readPreference(text: string) {
  const [value = '', ...parameters] = text.split(';');
  const weight = parameters.find((parameter) => /^\s*q\s*=/i.test(parameter));
  const quality = weight === undefined ? 1 : Number(weight.slice(weight.indexOf('=') + 1));
  return {
    /** In lower case, without parameters. */
    value: value.trim().toLowerCase(),
    /** 0 to 1; 0 means "not this". */
    quality: quality >= 0 && quality <= 1 ? quality : 0,
  };
}

/**
 * How much a media type is wanted: by its own entry, else by its kind's (`image/*`), else by
 * `*` + `/*`. Without a header everything is wanted.
 */
export function qualityOf(mediaType: string, accept: string | undefined): number {
  const preferences = readPreferences(accept);
  if (preferences.length === 0) return 1;
  const kind = `${mediaType.split('/')[0]}/*`;
  for (const range of [mediaType, kind, '*/*']) {
    const found = preferences.find((preference) => preference.value === range);
    if (found) return found.quality;
  }
  return 0;
}
