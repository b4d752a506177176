import { json, type Routes, type ShopRequest } from './http/shop-request.ts';
import type { Inbox } from './inbox/local-inbox.ts';
import { inboxPage, mailPage } from './pages/inbox-page.ts';
import { notFoundPage } from './pages/message-page.ts';
import type { AnswerPage } from './pages/shop-page.ts';
import { staffOnlyPage } from './pages/staff-page.ts';
import { isStaff, isStaffKey, staffCookie } from './refunds/staff-access.ts';

export interface InboxRouteDeps {
  /** null: the shop runs without a local mail server. */
  readonly inbox: Inbox | null;
  /** The secret of the staff's link. */
  readonly staffKey: string;
}

/**
 * A mail is what a stranger wrote. Its document has an origin of its own, and loads and runs
 * nothing; its links open in a tab, because most pages refuse a frame.
 */
const MAIL_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'content-security-policy': [
    "default-src 'none'",
    'img-src data:',
    "style-src 'unsafe-inline'",
    "base-uri 'none'",
    "frame-ancestors 'self'",
    'sandbox allow-popups allow-popups-to-escape-sandbox',
  ].join('; '),
};

/** The mails that the local mail server took, for the shop's staff. */
export function inboxRoutes({ inbox, staffKey }: InboxRouteDeps, page: AnswerPage): Routes {
  if (!inbox) return {};
  const forStaff =
    (answer: (request: ShopRequest, inbox: Inbox) => ReturnType<AnswerPage>): Routes[string] =>
    (request) => {
      const isByKey = isStaffKey(staffKey, request.query.get('key'));
      if (!isByKey && !isStaff(request, staffKey)) {
        return page(request, staffOnlyPage(request.language), { status: 403 });
      }
      const answered = answer(request, inbox);
      // A program reads the address of credentials.json as it stands; a browser keeps the access.
      return isByKey ? { ...answered, cookies: [staffCookie(staffKey)] } : answered;
    };
  const mailOf = ({ query }: ShopRequest) => inbox.find(Number(query.get('mail')));

  return {
    'GET /staff/inbox': forStaff((request) =>
      request.wantsJson
        ? json(200, { data: inbox.list() })
        : page(request, inboxPage(request.language, inbox.list())),
    ),
    'GET /staff/mail': forStaff((request) => {
      const mail = mailOf(request);
      return mail
        ? page(request, mailPage(request.language, mail))
        : page(request, notFoundPage(request.language), { status: 404 });
    }),
    'GET /staff/mail/html': forStaff((request) => {
      const html = mailOf(request)?.html;
      if (!html) return page(request, notFoundPage(request.language), { status: 404 });
      const body = html.replace(/<head>/i, '<head><base target="_blank">');
      return { status: 200, headers: MAIL_HEADERS, body };
    }),
  };
}
