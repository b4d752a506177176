import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { ACTIONS, type Action, ruleOf } from '#console/model/access-matrix.ts';
import { OPERATOR_ROLES, ROLES, type Role } from '#console/model/roles.ts';
import type { ConsoleRoute } from '#console/shell/console-routes.ts';
import {
  type ConsoleAnswer,
  type ConsoleClient,
  signIn,
  visitConsole,
} from '../support/console/console-client.ts';
import { readConsoleRoutes } from '../support/console/console-routes.ts';
import { startTestService, type TestService } from '../support/service/service.ts';

const UNKNOWN_ID = '0199a1b2-0000-7000-8000-000000000000';
const DENIED = 'Your role does not allow this';
const NOT_FOUND = 'There is nothing at this address';
const OUTDATED = 'This form was out of date';

const routes = await readConsoleRoutes();
const guide = readFileSync(
  new URL('../../../docs/operations/console.md', import.meta.url),
  'utf8',
).split('\n## ')[0];

/** The cells of the rows that begin with a right or a role, of the table with so many columns. */
function rowsOf(columns: number): string[][] {
  const rows = (guide ?? '').split('\n').filter((line) => line.startsWith('| `'));
  return rows
    .map((row) =>
      row
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    )
    .filter(({ length }) => length === columns);
}

function codesIn(text: string): string[] {
  return [...text.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code);
}

function rolesIn(text: string): string[] {
  return text === 'all' ? [...ROLES].sort() : codesIn(text).sort();
}

describe('the access matrix of the console', () => {
  let service: TestService;
  let own: string;
  let other: string;
  const people = new Map<Role, ConsoleClient>();

  before(async () => {
    service = await startTestService();
    own = (await service.createMerchant({ name: 'Own Shop' })).merchantId;
    other = (await service.createMerchant({ name: 'Other Shop' })).merchantId;
    for (const role of ROLES) {
      const isOperator = OPERATOR_ROLES.some((each) => each === role);
      people.set(role, await signIn(service, { role, ...(!isOperator && { merchantId: own }) }));
    }
  });

  after(() => service.stop());

  it('has a page or form for each action of the table', () => {
    const used = new Set(routes.map(({ action }) => action));
    assert.deepEqual(Object.keys(ACTIONS).sort(), [...used].sort());
  });

  it('is the table of rights in the operators’ guide', () => {
    const rights = rowsOf(3).flatMap(([names = '', roles = '', fresh = '']) =>
      codesIn(names).map((action) => [action, rolesIn(roles), fresh === 'yes']),
    );
    const rules = Object.keys(ACTIONS).map((name) => {
      const { roles, needsFreshSignIn = false } = ruleOf(name as Action);
      return [name, [...roles].sort(), needsFreshSignIn];
    });
    assert.deepEqual(rights.sort(), rules.sort());
  });

  it('agrees with the guide’s list of roles and of the pages that each does not read', () => {
    const words: Readonly<Record<string, string>> = {
      'ledger.read': 'ledger and report',
      'audit.read': 'audit log',
    };
    const told = rowsOf(4).map(([role = '', , , reads = '']) => [codesIn(role)[0], reads]);
    const denied = ROLES.map((role) => {
      const isOperator = OPERATOR_ROLES.some((each) => each === role);
      const names = (Object.keys(ACTIONS) as Action[]).filter((name) => {
        const { scope, roles } = ruleOf(name);
        if (!name.endsWith('.read') || roles.includes(role)) return false;
        return isOperator || scope !== 'deployment';
      });
      const inWords = names.map((name) => words[name] ?? name.replace('.read', ''));
      return [role, inWords.join(', ') || '–'];
    });
    assert.deepEqual(told.sort(), denied.sort());
  });

  for (const role of ROLES) {
    it(`lets the role ${role} open what the table allows, and nothing else`, async () => {
      for (const route of routes) {
        const answer = await call(people.get(role), route, own);
        assert.deepEqual(
          [nameOf(route), decisionOf(answer, route)],
          [nameOf(route), expected(role, route)],
        );
        assert.ok(answer.status < 500, `${nameOf(route)} answered ${answer.status}`);
      }
    });
  }

  for (const role of ROLES.filter((each) => !OPERATOR_ROLES.some((one) => one === each))) {
    it(`answers ${role} alike for another merchant and for an unknown one`, async () => {
      for (const route of routes.filter(({ path }) => path.includes(':merchant'))) {
        const person = people.get(role);
        const existing = await call(person, route, other);
        const unknown = await call(person, route, `mer_${'0'.repeat(24)}`);
        assert.equal(existing.status, 404, nameOf(route));
        assert.equal(withoutIds(existing.html), withoutIds(unknown.html), nameOf(route));
        assert.doesNotMatch(existing.html, /Other Shop/);
      }
    });
  }

  it('leads people who are not signed in to the sign-in, without a word about the page', async () => {
    const nobody = visitConsole(service);
    for (const route of routes) {
      const answer = await call(nobody, route, own);
      assert.equal(answer.status, 303, nameOf(route));
      assert.match(answer.location ?? '', /^\/console\/sign-in\?next=/);
    }
  });

  it('asks for a fresh sign-in after ten minutes, for money and secrets alone', async () => {
    await service.advance(10 * 60);
    for (const role of ROLES) {
      for (const route of routes.filter((each) => expected(role, each) === 'ALLOWED')) {
        const answer = await call(people.get(role), route, own);
        const isLedToSignIn = answer.location?.startsWith('/console/sign-in/again?') ?? false;
        const needsFresh = ruleOf(route.action).needsFreshSignIn ?? false;
        assert.equal(isLedToSignIn, needsFresh, `${role} ${nameOf(route)}`);
      }
    }
  });
});

/** A form is sent without its token: the rights are decided before it, and nothing is done. */
function call(
  person: ConsoleClient | undefined,
  { method, path }: ConsoleRoute,
  merchantId: string,
): Promise<ConsoleAnswer> {
  assert.ok(person);
  const address = `/console${path.replace(':merchant', merchantId).replace(/:\w+/g, UNKNOWN_ID)}`;
  return method === 'GET' ? person.get(address) : person.post(address, { csrf: 'wrong' });
}

function decisionOf({ status, html }: ConsoleAnswer, { method }: ConsoleRoute): string {
  if (html.includes(DENIED)) return status === 403 ? 'DENIED' : `a denial with ${status}`;
  if (method === 'GET') return 'ALLOWED';
  return html.includes(OUTDATED) && status === 403 ? 'ALLOWED' : `an answer ${status}`;
}

function expected(role: Role, { action }: ConsoleRoute): string {
  const { roles, environment = 'sandbox' } = ruleOf(action);
  if (environment !== 'sandbox') return 'ABSENT';
  return roles.includes(role) ? 'ALLOWED' : 'DENIED';
}

function nameOf({ method, path }: ConsoleRoute): string {
  return `${method} /console${path}`;
}

/** Request ids, ids of merchants in links, and tokens differ from call to call. */
function withoutIds(html: string): string {
  assert.ok(html.includes(NOT_FOUND));
  return html.replace(/mer_\w+|[0-9a-f]{8}-[0-9a-f-]{27}/g, '');
}
