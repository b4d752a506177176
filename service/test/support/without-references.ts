/** An address as a browser reads it in an attribute, without character references. */
export function withoutReferences(href: string): string {
  return href.replaceAll('&#61;', '=').replaceAll(/&(?:amp|#38);/g, '&');
}
