const NUL = '\0';

/** PostgreSQL refuses this character in every text, and no person types it. */
export function hasNul(text: string): boolean {
  return text.includes(NUL);
}

/** The members of a form or query without NUL, as PostgreSQL takes them. */
export function withoutNul(members: URLSearchParams): URLSearchParams {
  if (![...members.values()].some(hasNul)) return members;
  const kept = new URLSearchParams();
  for (const [name, value] of members) kept.append(name, value.replaceAll(NUL, ''));
  return kept;
}
