import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type ListsDeps, listsOf } from '#console/list-pages/register-lists.ts';
import type { ListFilter, ListSpec } from '#console/lists/list-spec.ts';
import { CONSOLE_LANGUAGES } from '#http/negotiation/choose-language.ts';
import { type BusyConsole, startBusyConsole } from '../../support/console/busy-console.ts';
import { type ConsoleClient, signIn } from '../../support/console/console-client.ts';
import { parseCsv } from '../../support/payment-requests/parse-csv.ts';
import { withoutReferences } from '../../support/without-references.ts';

const UNKNOWN_ID = '0199a1b2-0000-7000-8000-000000000000';
/** What a list needs to be described, not to be read. */
const LISTS = listsOf({ money: {} } as ListsDeps);

/** Lists whose newest rows come first while they are open. */
const FOLLOWED = [
  ...['payment-requests', 'refunds', 'messages', 'deliveries', 'cases', 'bank-files'],
];
/** The tabs that have the number of their rows. */
const COUNTED: Readonly<Record<string, readonly string[]>> = {
  'payment-requests': ['all', 'open', 'paid', 'failed'],
  refunds: ['all', 'open', 'completed', 'failed'],
  messages: ['all', 'waiting', 'undelivered'],
  deliveries: ['waiting', 'givenUp'],
  endpoints: ['all', 'failing'],
  cases: ['open'],
  'bank-entries': ['all', 'MATCHED', 'OTHER'],
};

/** A value of a filter that no row has. */
function rareValue({ form, options, usual }: ListFilter): string {
  if (form === 'id') return UNKNOWN_ID;
  if (form === 'email') return 'nobody@nowhere.example';
  if (form === 'phone') return '+1 555 010 99 99';
  if (form === 'amount') return '98765.43';
  return options?.find((option) => option !== usual) ?? 'no-such-value';
}

/** A value that the filter refuses; null: it takes any. */
function wrongValue({ form, options }: ListFilter): string | null {
  if (options) return 'LOST';
  return form === 'text' ? null : 'wrong';
}

const count = (html: string, pattern: RegExp) => html.match(pattern)?.length ?? 0;

describe('every list of the console', () => {
  let busy: BusyConsole;
  let person: ConsoleClient;
  const addresses = new Map<ListSpec, string>();

  before(async () => {
    busy = await startBusyConsole();
    person = await signIn(busy.service, { role: 'operator' });
    const { merchantId } = busy.merchant;
    await signIn(busy.service, { role: 'viewer', merchantId });
    const endpoints = await busy.call('GET', '/v1/webhook-endpoints', {});
    const [{ id }] = endpoints.json.data as readonly [{ id: string }];
    const from = new Date(busy.service.clock.now().getTime() - 3_600_000).toISOString();
    const replay = { body: { from } };
    const started = await busy.call('POST', `/v1/webhook-endpoints/${id}/replay`, replay);
    assert.equal(started.status, 202, started.text);
    const [file] = await busy.service.database.sql<{ id: string }>('SELECT id FROM bank_files');
    for (const spec of LISTS) {
      const path = spec.path.replace(':merchant', merchantId).replace(':id', file?.id ?? '');
      addresses.set(spec, `/console${path}`);
    }
  });
  after(() => busy?.stop());

  const get = (spec: ListSpec, query = '') => person.get(`${addresses.get(spec)}${query}`);

  /** A fault leaves the other filters as they are: in their fields and above the list. */
  async function keepsOthers(spec: ListSpec, faulty: ListFilter, wrong: string): Promise<void> {
    const other = spec.filters.find((each) => each !== faulty);
    if (!other) return;
    const kept = rareValue(other);
    const { html } = await get(spec, `?${faulty.name}=${wrong}&${other.name}=${kept}`);
    const chosen = new RegExp(`value="${RegExp.escape(kept)}"[^>]*( selected| checked)?`);
    assert.match(html, chosen, `${other.name} beside ${faulty.name}`);
    const [, chips = ''] = /<ul class="chips"[^>]*>([\s\S]*?)<\/ul>/.exec(html) ?? [];
    assert.equal(count(chips, /<li>/g), faulty.name === 'order' ? 1 : 2, chips);
  }

  it('has a name of its own in its scope, and a word for all that it shows', () => {
    const names = LISTS.map(({ name, path }) => `${name} ${path.startsWith('/operator')}`);
    assert.equal(new Set(names).size, LISTS.length);
    for (const { columns, filters, lead, words } of LISTS) {
      for (const language of CONSOLE_LANGUAGES) {
        const { text } = words(language);
        for (const key of ['title', 'empty', 'emptyNext', 'nothing', 'nothingNext', 'days']) {
          assert.ok(text(key), key);
        }
        for (const name of Object.keys(columns)) assert.ok(text(`column.${name}`), name);
        if (lead) assert.ok(text(lead));
        for (const { name, options = [], wordOf } of filters) {
          assert.ok(text(`filter.${name}`), name);
          for (const option of options) {
            assert.ok(wordOf?.(language, option) ?? text(`option.${option}`), option);
          }
        }
      }
    }
  });

  it('answers 404 to the file of a thing that is not there, as to its page', async () => {
    const ofThings = LISTS.filter(({ path }) => path.endsWith('/:id'));
    assert.ok(ofThings.length > 0);
    for (const { path } of ofThings) {
      const page = `/console${path.replace(':id', UNKNOWN_ID)}`;
      for (const address of [page, `${page}.csv`]) {
        assert.equal((await person.get(address)).status, 404, address);
      }
    }
  });

  for (const spec of LISTS) {
    const { filters, columns, days, usual, isLenient, tabs, rowAddress, rowActs } = spec;
    describe(`at ${spec.path}`, () => {
      it('shows its rows, its filters, and the choice of its columns', async () => {
        const { status, html } = await get(spec);
        assert.equal(status, 200);
        assert.equal(count(html, /<th scope="col"/g) >= usual, true, 'columns');
        assert.match(html, /<div class="list-rows">/);
        for (const { name } of filters) assert.match(html, new RegExp(` name="${name}"`), name);
        for (const name of days?.names ?? []) assert.match(html, new RegExp(`id="${name}"`), name);
        const choices = count(html, /name="columns" value=/g);
        assert.equal(choices, Object.keys(columns).length);
        assert.match(html, /data-shortcuts-page/);
        assert.match(html, /\.csv" download>Download as CSV/);
      });

      it('has a header that stays in sight, cards on phones, and its own tabs with counts', async () => {
        const { html } = await get(spec);
        const [, list = ''] = /<div class="list-rows">([\s\S]*?)<\/table>/.exec(html) ?? [];
        // The style sheet keeps the header of up to seven columns, and makes cards of labelled cells.
        assert.ok(count(list, /<th scope="col"/g) <= 7, 'columns');
        assert.ok(count(list, /<th scope="row"/g) > 0, 'rows');
        assert.equal(count(list, /<td\b/g), count(list, /<td\b[^>]* data-label="[^"]/g));
        if (rowAddress) assert.ok(count(list, /<a class="row" href=/g) > 0, 'links of rows');
        const [, bar = ''] = /<nav aria-label="Views">([\s\S]*?)<\/nav>/.exec(html) ?? [];
        const counted = COUNTED[spec.name] ?? [];
        for (const name of Object.keys(tabs?.queries ?? {})) {
          const isThere = bar.includes(`>${spec.words('en').text(`tab.${name}`)}`);
          assert.equal(isThere, !tabs?.hidesEmpty || counted.includes(name), name);
        }
        assert.equal(count(bar, /class="count /g), counted.length, bar);
        const [, number] =
          /aria-current="page">[^<]*<span class="count[^>]*>(\d+)</.exec(bar) ?? [];
        if (number)
          assert.equal(Number(number), count(list, /<th scope="row"/g), 'rows of the tab');
        assert.equal(html.includes('id="new-rows"'), FOLLOWED.includes(spec.name));
      });

      it('shows every column that is chosen, and no other', async () => {
        const names = Object.keys(columns);
        const all = await get(spec, `?${names.map((name) => `columns=${name}`).join('&')}`);
        const shown = all.location === null ? all : await person.get(all.location);
        const [, list = ''] = /<div class="list-rows">([\s\S]*)/.exec(shown.html) ?? [];
        const cells = list.replaceAll(/<details>[\s\S]*?<\/details>/g, '');
        assert.doesNotMatch(cells, />\d{4}-\d\d-\d\d[<T]/, 'a day has words of the language');
        assert.doesNotMatch(cells, /<t[dh][^>]*>(<a[^>]*>)?<time (?!class="relative")/, 'an age');
        const acts = rowActs ? 1 : 0;
        assert.equal(count(list, /<th scope="col"/g), names.length + acts);
        const one = await get(spec, `?columns=${names.at(-1)}`);
        const [, narrow = ''] = /<div class="list-rows">([\s\S]*)/.exec(one.html) ?? [];
        assert.equal(count(narrow, /<th scope="col"/g), 1 + acts);
      });

      it('names a filter in use, and the way out where nothing matches', async () => {
        for (const filter of filters) {
          const query = new URLSearchParams({ [filter.name]: rareValue(filter) });
          const { status, html } = await get(spec, `?${query}`);
          assert.equal(status, 200, filter.name);
          // A tab says what its filters do, and an order takes no row away: none is cleared.
          const isTab = Object.values(tabs?.queries ?? {}).includes(`${query}`);
          const isFilter = !isTab && filter.name !== 'order';
          const chips = /<ul class="chips" aria-label="Filters in use"><li>/;
          assert.equal(chips.test(html), isFilter, filter.name);
          assert.equal(html.includes('Clear all'), isFilter, filter.name);
        }
        if (days) {
          const { html } = await get(spec, `?${days.names[1]}=2020-01-01`);
          assert.match(html, new RegExp(spec.words('en').text('nothing').replaceAll('.', '\\.')));
          assert.match(html, /class="empty"[\s\S]*Clear all/);
          assert.equal((await get(spec, '?period=30d')).status, 200);
        }
      });

      it('answers 422 to a value of a wrong form, with the fault at its field', async () => {
        for (const filter of filters) {
          const wrong = wrongValue(filter);
          if (wrong === null) continue;
          for (const file of ['', '.csv']) {
            const { status, html } = await get(spec, `${file}?${filter.name}=${wrong}`);
            assert.equal(status, 422, filter.name);
            assert.ok(html.includes('<span class="fault"'), filter.name);
          }
          await keepsOthers(spec, filter, wrong);
        }
        if (!days) return;
        const faulty = await get(spec, `?${days.names[0]}=2026-02-30`);
        assert.equal(faulty.status, isLenient ? 200 : 422);
        const reversed = `?${days.names[0]}=2026-03-02&${days.names[1]}=2026-03-01`;
        assert.equal((await get(spec, reversed)).status, isLenient ? 200 : 422);
      });

      it('gives all that match as CSV, and no row for HEAD', async () => {
        const file = await get(spec, '.csv');
        assert.equal(file.status, 200);
        assert.equal(file.headers.get('content-type'), 'text/csv; charset=utf-8; header=present');
        const name = file.headers.get('content-disposition') ?? '';
        assert.match(name, /^attachment; filename="[a-z-]+-\d+T\d+Z\.csv"$/);
        const [header = [], ...rows] = parseCsv(file.html);
        assert.ok(rows.length > 0);
        for (const row of rows) assert.equal(row.length, header.length);
        const headers = { cookie: person.cookies() };
        const address = `${busy.service.url}${addresses.get(spec)}.csv`;
        assert.equal((await fetch(address, { method: 'HEAD', headers })).status, 200);
      });

      it('goes to its first page from a place that it does not have', async () => {
        const { status, html } = await get(spec, '?cursor=-1');
        assert.equal(status, 200);
        assert.match(html, /<div class="list-rows">/);
      });

      it('keeps a view of a person, who renames and deletes it', async () => {
        const address = `${addresses.get(spec)}`;
        const [column = ''] = Object.keys(columns);
        const query = `columns=${column}`;
        const scope = spec.path.startsWith('/operator') ? '/operator' : spec.path.split('/', 3)[1];
        const base = scope === 'm' ? `/console/m/${busy.merchant.merchantId}` : '/console/operator';
        const view = { list: spec.name, at: address, name: 'Short', query };
        const { location } = await person.post(`${base}/views`, view);
        assert.equal(location, `${address}?${query}&done=viewSaved`);
        const saved = await person.get(location ?? '');
        assert.match(saved.html, /role="status">The view is saved\. It stands above this list/);
        const { html } = await person.get(`${address}?${query}`);
        assert.match(html, /aria-current="page">Short</);
        const [, edit = ''] = /<a class="edit" href="([^"]+)"/.exec(html) ?? [];
        const page = withoutReferences(edit);
        assert.match((await person.get(page)).html, /value="Short"/);
        const [path] = page.split('?');
        const renamed = await person.post(`${path}/rename`, { name: 'One column', at: address });
        assert.equal(renamed.location, `${address}?${query}&done=viewRenamed`);
        const gone = await person.post(`${path}/delete`, { at: address });
        assert.equal(gone.location, `${address}?done=viewDeleted`);
        assert.doesNotMatch((await get(spec)).html, /One column/);
        const strange = await person.post(`${base}/views`, { ...view, at: '//elsewhere.example' });
        assert.equal(strange.status, 404);
      });
    });
  }
});
