import type { AnsweredLine, ConsoleAsked } from '../history-line.ts';

/** The answer of a page or form; no HTTP answer has the status null. */
export interface ConsoleAnswer {
  readonly status: number | null;
  readonly location: string;
  readonly html: string;
  /** `name=value` of each cookie that the answer sets. */
  readonly cookies: readonly string[];
  /** Why no answer came. */
  readonly reason: string | null;
}

/** A frozen connection must not hold a person: longer than the service's own limits of a call. */
const CALL_MS = 15_000;

/** Opens a page, or sends a form; it always ends within 15 s and never throws. */
export async function askConsole(
  address: string,
  cookie: string,
  form?: Readonly<Record<string, string>>,
): Promise<ConsoleAnswer> {
  try {
    const response = await fetch(address, {
      headers: { cookie, accept: 'text/html', 'accept-language': 'en' },
      redirect: 'manual',
      signal: AbortSignal.timeout(CALL_MS),
      ...(form && { method: 'POST', body: new URLSearchParams(form) }),
    });
    return {
      status: response.status,
      location: response.headers.get('location') ?? '',
      html: await response.text(),
      cookies: response.headers.getSetCookie().map((line) => line.replace(/;.*/s, '')),
      reason: null,
    };
  } catch (error) {
    const { name, cause } = error as Error & { cause?: { code?: string } };
    return { status: null, location: '', html: '', cookies: [], reason: cause?.code ?? name };
  }
}

/** Classifies an answer by what its page says to a person. */
export function judgeAnswer(
  { name }: ConsoleAsked,
  { status, location, html, reason }: ConsoleAnswer,
): Pick<AnsweredLine, 'outcome' | 'status' | 'code'> {
  if (status === null) return { outcome: 'unknown', status, code: reason };
  const leadsToSignIn = location.startsWith('/console/sign-in') && name !== 'console-sign-out';
  if (leadsToSignIn) return { outcome: 'refused', status, code: 'SIGNED_OUT' };
  if (status === (name === 'console-page' ? 200 : 303)) {
    return { outcome: 'ok', status, code: null };
  }
  // The page promises it, so that the checker holds the service to it.
  if (status === 503 && html.includes('Nothing was changed')) {
    return { outcome: 'refused', status, code: 'UNAVAILABLE' };
  }
  // The form's first sending is at work.
  const isAtWork = status === 409 && html.includes('still running');
  const outcome = status < 500 && !isAtWork ? 'refused' : 'unknown';
  return { outcome, status, code: `HTTP ${status}` };
}
