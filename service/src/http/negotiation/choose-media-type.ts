import { Problem } from '#lib/problem.ts';
import { qualityOf } from './read-preferences.ts';

/** The one that an Accept header wants most; the earlier of equals; null where it allows none. */
export function chooseMediaType<Type extends string>(
  accept: string | undefined,
  offered: readonly Type[],
): Type | null {
  let chosen: Type | null = null;
  let best = 0;
  for (const type of offered) {
    const quality = qualityOf(type, accept);
    if (quality > best) [chosen, best] = [type, quality];
  }
  return chosen;
}

/** `chooseMediaType` for calls that offer nothing else. @throws Problem NOT_ACCEPTABLE */
export function requireMediaType<Type extends string>(
  accept: string | undefined,
  offered: readonly Type[],
): Type {
  const chosen = chooseMediaType(accept, offered);
  if (chosen !== null) return chosen;
  const detail = `The Accept header allows no type of this answer: ${offered.join(' or ')}.`;
  throw new Problem('NOT_ACCEPTABLE', { detail });
}
