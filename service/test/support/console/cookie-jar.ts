/** A browser's cookies of one site, without their paths; expired ones are forgotten. */
export function createCookieJar() {
  const cookies = new Map<string, string>();
  return {
    cookies,
    async fetch(url: URL | string, init: RequestInit = {}): Promise<Response> {
      const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
      const headers = { ...(cookie && { cookie }), ...(init.headers as Record<string, string>) };
      const response = await fetch(url, { ...init, redirect: 'manual', headers });
      for (const line of response.headers.getSetCookie()) keep(cookies, line);
      return response;
    },
  };
}

function keep(cookies: Map<string, string>, line: string): void {
  const [pair = '', ...attributes] = line.split(';');
  const [name = '', ...value] = pair.split('=');
  const isGone = attributes.some((each) => /^\s*(max-age=0|expires=.* 1970 )/i.test(each));
  if (isGone) cookies.delete(name.trim());
  else cookies.set(name.trim(), value.join('='));
}
