import { html } from 'ghtml';
import { actorName } from '#console/components/act-sentence.ts';
import { badge, badgeWithReason, type Tone, toneOf } from '#console/components/badges.ts';
import { emptyState, type Fact, facts } from '#console/components/parts.ts';
import { table, titledTable } from '#console/components/table.ts';
import { amountText, inGroups, instant, relativeTime } from '#console/components/values.ts';
import type { ConsoleDeps } from '#console/console-deps.ts';
import { formOf } from '#console/forms/form-field.ts';
import { actForm, button, formPage } from '#console/forms/render-form.ts';
import { type Act, renderActs } from '#console/lists/acts.ts';
import { type ListColumns, show, titled } from '#console/lists/columns.ts';
import type { ConsoleRoutes, Show } from '#console/shell/console-routes.ts';
import { known } from '#console/shell/known.ts';
import type { ConsolePage, Visit } from '#console/shell/visit.ts';
import {
  type ConnectionRow,
  type FileAct,
  type LargestPayment,
  type PaymentFileRow,
  PROGRAM_WAY,
  type TokenRow,
  type TriedRow,
} from '#e-transfer/network-connection.ts';
import { Problem } from '#lib/problem.ts';
import { BANK_TEXTS, CONNECTION_TEXTS } from '../texts.ts';
import { sizeText } from './file-page.ts';

const PATH = '/operator/bank-connection';
const FILE = `${PATH}/payments/:id`;
const UPLOAD = `${PATH}/upload`;
const ACT = 'operator.bank.act';
const SET_WAY = 'set-way' as const;
type ShownAct = Exclude<FileAct['act'], typeof SET_WAY>;
const ACTS: Readonly<Partial<Record<PaymentFileRow['state'], readonly ShownAct[]>>> = {
  WAITING: ['release'],
  UNCLEAR: ['settle-as-sent', 'settle-as-lost'],
};
/** The page of the connections to banks, and what operators do there. */
export function registerConnectionPages(routes: ConsoleRoutes): void {
  routes.page(PATH, 'operator.bank.read', showConnections);
  routes.act(`${PATH}/try`, ACT, async ({ money: { books } }, _visit, form) => {
    const number = form.get('connection') ?? '';
    const isThere = /^\d$/.test(number) && (await books?.connection.askForRound(Number(number)));
    if (!isThere) throw notOffered('connection', 'the number of a connection');
    return { to: `/console${PATH}`, done: 'roundAsked' };
  });
  routes.act(`${PATH}/approve`, ACT, async ({ money }, visit, form) => {
    await money.approveToken(visit, form.get('token') ?? '');
    return { to: `/console${PATH}`, done: 'tokenApproved' };
  });
  routes.page(UPLOAD, ACT, (_deps, visit) => uploadPage(visit));
  routes.form(UPLOAD, ACT, 'statement', async ({ money }, visit, form) => {
    const { text } = CONNECTION_TEXTS[visit.language];
    const bytes = Buffer.from(form.get('file') ?? '', 'base64');
    if (bytes.length === 0) return uploadPage(visit, text('uploadNoFile'));
    const id = await money.uploadBankFile(visit, bytes);
    return { to: `/console/operator/bank-files/${id}`, done: 'fileUploaded' };
  });
  routes.page(FILE, 'operator.bank.read', showPaymentFile);
  for (const act of [...Object.values(ACTS).flat(), SET_WAY]) {
    routes.act(`${FILE}/${act}`, ACT, async (deps, visit, form) => {
      const file = await findFile(deps, visit);
      const asked = act === SET_WAY ? { act, connection: wayAsked(file, form) } : { act };
      const done = await deps.money.actOnPaymentFile(visit, file.messageId, asked);
      return { to: `/console${PATH}`, done: done === 'DONE' ? 'fileActed' : 'fileAsked' };
    });
  }
}

/** The ways that a first person has asked for: a second one asks for the same here. */
const waysAsked = ({ askedBy }: PaymentFileRow): string[] => [
  ...new Set(askedBy.flatMap((each) => /^set-way (folder|\d):/.exec(each)?.[1] ?? [])),
];

const readWay = (way: string) => (way === 'folder' ? null : Number(way));

/** @throws Problem VALIDATION_ERROR for a way that no button has: a folder needs no release */
function wayAsked(file: PaymentFileRow, form: URLSearchParams): number | null {
  const way = waysAsked(file).find((each) => each === form.get('way'));
  if (way === undefined) throw notOffered('way', 'a way that a first person has asked for');
  return readWay(way);
}

function notOffered(field: string, expected: string): Problem {
  const fault = { field, code: 'INVALID_VALUE', message: `Give ${field} as ${expected}.` } as const;
  return new Problem('VALIDATION_ERROR', { errors: [fault] });
}

const showConnections: Show = async ({ money: { books } }, visit) => {
  const { text, rich } = CONNECTION_TEXTS[visit.language];
  const found = await books?.connection.read();
  const { connections = [], tried = [], payments = [], tokens = [] } = found ?? {};
  const part = <Row>(title: string, columns: ListColumns<Row>, rows: readonly Row[]) =>
    rows.length > 0 ? titledTable(title, titled(visit, text, columns), rows) : '';
  const cards = connections.map((each) => connectionCard(visit, each)).join('');
  const ways = ['server', 'program', 'hand'] as const;
  const none = emptyState(
    text('none'),
    html`<ul class="ways">!${ways.map((way) => `<li>${rich(`none.${way}`)}</li>`).join('')}</ul>`,
  );
  const body = [
    cards || none,
    part(text('payments'), PAYMENTS, payments),
    part(text('files'), FILES, tried),
    part(text('tokens'), TOKENS, tokens),
  ].join('');
  return {
    title: text('title'),
    head: { acts: books ? uploadAct(visit) : '' },
    body: books ? body : emptyState(BANK_TEXTS[visit.language].text('noBooks')),
  };
};

/** The way to the upload. */
export function uploadAct(visit: Visit): string {
  const act: Act = { word: 'upload', may: ACT, look: 'main', path: () => UPLOAD };
  return renderActs(visit, CONNECTION_TEXTS[visit.language].text, [act], undefined);
}

/** A file that a person has from the bank's own pages. */
function uploadPage(visit: Visit, refusal?: string): ConsolePage {
  const { text } = CONNECTION_TEXTS[visit.language];
  const items = formOf({
    name: 'file',
    kind: 'file',
    label: text('file'),
    hint: text('fileHint'),
    accept: '.xml,.zip,.gz',
    isRequired: true,
    words: { choose: text('fileChoose'), none: text('fileNone') },
  });
  return formPage(visit, {
    title: text('upload'),
    back: { href: `/console${PATH}`, name: text('title') },
    refusal: refusal ? { fault: refusal, field: 'file' } : null,
    ...{ action: UPLOAD, items, buttons: button(text('upload')) },
  });
}

function connectionCard(visit: Visit, row: ConnectionRow): string {
  const { text } = CONNECTION_TEXTS[visit.language];
  const { number, fault, reason, roundAt, goodAt, dueAt, isRunning, isUnread, filesThere } = row;
  const seen = fault ? 'failing' : goodAt ? 'good' : 'new';
  const state = isUnread ? 'unread' : seen;
  const tones: Readonly<Record<typeof state, Tone>> = {
    failing: 'bad',
    good: 'good',
    new: 'neutral',
    unread: 'warning',
  };
  const list: Fact[] = [
    [text('lastRound'), roundAt && relativeTime(visit, roundAt)],
    [text('lastGood'), goodAt && relativeTime(visit, goodAt)],
    [text('nextRound'), isRunning ? html`${text('running')}` : instant(visit, dueAt)],
    [text('filesThere'), `${filesThere}`],
    [text('fault'), reason && html`${reason}`],
  ];
  const pressed = { kind: 'quiet', name: 'connection', value: `${number}` } as const;
  const again = visit.can(ACT) ? actForm(visit, `${PATH}/try`, text('tryNow'), pressed) : '';
  const gone = isUnread ? html`<p>${text('unread', { number })}</p>` : '';
  return html`<div class="card"><h2>${text('connection', { number })} !${badge(
    text(`round.${state}`),
    tones[state],
  )}</h2>!${gone}!${facts(list)}!${again}</div>`;
}

const PAYMENTS: ListColumns<PaymentFileRow> = {
  'column.id': show.link(({ messageId }) => [
    `/console${PATH}/payments/${messageId}`,
    html`<span class="mono">${messageId}</span>`,
  ]),
  'column.state': show.cell((file, visit) => stateOf(visit, file)),
  'column.refunds': show.count((file) => file.refunds),
  'column.total': show.money((file) => file.totalCents),
  'column.way': show.text((file, visit) => wayOf(visit, file)),
  'column.made': show.age((file) => file.createdAt),
};

const FILES: ListColumns<TriedRow> = {
  'column.name': show.code((file) => file.name),
  'column.verdict': show.cell(({ verdict, reason }, { language }) => {
    const word = badge(CONNECTION_TEXTS[language].text(`verdict.${verdict}`), toneOf(verdict));
    return badgeWithReason(word, reason);
  }),
  'column.size': show.cell(({ sizeBytes }, visit) => sizeText(visit, sizeBytes)),
  'column.tried': show.age((file) => file.triedAt),
};

const TOKENS: ListColumns<TokenRow> = {
  'column.scope': show.code((token) => token.scope),
  'column.state': show.cell((token, visit) => {
    const { text } = CONNECTION_TEXTS[visit.language];
    const word = badge(text(`token.${token.state}`), toneOf(token.state));
    if (token.state !== 'UNAPPROVED' || !visit.can(ACT)) return word;
    const pressed = { kind: 'quiet slim', name: 'token', value: token.id } as const;
    return word + actForm(visit, `${PATH}/approve`, text('tokenApprove'), pressed);
  }),
  'column.account': show.text(({ accounts }) => accounts.map(shortAccount).join(' ')),
  'column.from': show.text(({ sources }) => sources.join(' ')),
  'column.by': show.text((token, visit) => actorName(visit, token.createdBy)),
  'column.expires': show.age((token) => token.expiresAt),
  'column.used': show.age((token) => token.usedAt),
};

const shortAccount = (account: string): string => `…${account.slice(-4)}`;

function stateOf({ language }: Visit, { state, reason }: PaymentFileRow): string {
  const word = badge(CONNECTION_TEXTS[language].text(`state.${state}`), toneOf(state));
  return badgeWithReason(word, reason);
}

function wayOf(
  { language }: Visit,
  { connection: number }: Pick<PaymentFileRow, 'connection'>,
): string {
  const { text } = CONNECTION_TEXTS[language];
  if (number === PROGRAM_WAY) return text('program');
  return number === null ? text('folder') : text('connection', { number });
}

async function findFile({ money: { books } }: Pick<ConsoleDeps, 'money'>, visit: Visit) {
  return known(await books?.connection.file(visit.params.id ?? ''));
}

/** A payment file before a person lets it leave, or says what the bank has. */
const showPaymentFile: Show = async (deps, visit) => {
  const { text } = CONNECTION_TEXTS[visit.language];
  const file = await findFile(deps, visit);
  const { messageId, refunds, totalCents, state, account, createdAt, askedBy } = file;
  const acts = (visit.can(ACT) && file.connection !== null && ACTS[state]) || [];
  const largest = (await deps.money.books?.connection.largest(messageId)) ?? [];
  // Each is an act, a colon, and its actor.
  const askers = askedBy.map((each) => actorName(visit, each.replace(/^[^:]*:/, '')));
  const what = { count: refunds, amount: amountText(visit, totalCents, visit.currency) };
  const list: Fact[] = [
    [text('column.id'), html`<code>${messageId}</code>`],
    [text('column.total'), html`${what.amount}`],
    [text('column.refunds'), `${refunds}`],
    [text('account'), inGroups(account)],
    [text('column.way'), html`${wayOf(visit, file)}`],
    [text('column.made'), instant(visit, createdAt)],
    [text('askedBy'), askers.length > 0 && html`${askers.join(', ')}`],
  ];
  const buttons = acts.map((act) =>
    actForm(visit, `${PATH}/payments/${messageId}/${act}`, text(`act.${act}`, what)),
  );
  for (const way of visit.can(ACT) ? waysAsked(file) : []) {
    const words = text('act.set-way', { way: wayOf(visit, { connection: readWay(way) }) });
    const pressed = { name: 'way', value: way };
    buttons.push(actForm(visit, `${PATH}/payments/${messageId}/${SET_WAY}`, words, pressed));
  }
  const lead = state === 'UNCLEAR' ? html`<p class="notice bad">${text('unclear')}</p>` : '';
  return {
    title: text('fileTitle', what),
    head: {
      badge: stateOf(visit, { ...file, reason: null }),
      back: { href: `/console${PATH}`, name: text('title') },
    },
    body: html`!${lead}!${facts(list)}<h2>${text('largest')}</h2>!${
      largest.length > 0
        ? table(text('largest'), titled(visit, text, LARGEST), largest)
        : emptyState(text('largestNone'))
    }<div class="actions">!${buttons.join('')}</div>`,
  };
};

const LARGEST: ListColumns<LargestPayment> = {
  'column.payer': show.text(({ name }) => name),
  'column.account': show.cell(({ account }) => inGroups(account)),
  'column.amount': show.money((payment) => payment.amountCents),
};
