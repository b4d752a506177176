/** The page of people who wanted no other. */
const HOME = '/console';
/** Filters of a list stand in its address; a longer address is none of the console's links. */
const LONGEST = 1_500;
/** Any origin: the path must not leave it. */
const ORIGIN = 'https://console.invalid';

/**
 * The page that a person wanted, as a path of the console with its query. Every other text
 * becomes the first page: a sign-in leads to no other site (open redirect).
 */
export function nextPathOf(wanted: unknown): string {
  if (typeof wanted !== 'string' || wanted.length > LONGEST) return HOME;
  // Browsers read a backslash as a slash, and leave out tabs and line ends.
  if (!/^[!-[\]-~]+$/.test(wanted) || !/^\/console(?:[/?]|$)/.test(wanted)) return HOME;
  const url = URL.parse(wanted, ORIGIN);
  if (!url || url.origin !== ORIGIN || url.hash !== '') return HOME;
  // Dots may have led out of the console, and the sign-in would lead to itself.
  const { pathname } = url;
  const isInside = pathname === HOME || pathname.startsWith(`${HOME}/`);
  if (!isInside || pathname.startsWith(`${HOME}/sign-`)) return HOME;
  return pathname + url.search;
}
