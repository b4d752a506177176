/** A schema as `readSchema` gives it: `column cases.id` and its definition. */
export type Catalogue = Readonly<Record<string, string>>;

/**
 * Finds statements of the previous version that this schema breaks (decision 0031). Code of the
 * previous version names its columns, and leaves new columns alone.
 *
 * @param wider constraints that a person has found to accept all that they accepted before
 * @returns a sentence for each break
 */
export function findBreaks(
  before: Catalogue,
  after: Catalogue,
  wider: readonly string[],
): string[] {
  const breaks: string[] = [];
  for (const [key, old] of Object.entries(before)) {
    const now = after[key];
    if (now === undefined && /^(table|column|function) /.test(key)) breaks.push(`${key} is gone`);
    if (now === undefined || now === old) continue;
    if (key.startsWith('column ')) breaks.push(...changedColumn(key, old, now));
    const isNewView = key.startsWith('table ') && now === 'view';
    if (isNewView && !takesRows(tableOf(key, now), after)) breaks.push(`${key} takes no rows`);
    if (key.startsWith('constraint ') && !wider.includes(key)) breaks.push(`${key} is now ${now}`);
  }
  const isOld = (table: string) => before[`table ${table}`] !== undefined;
  for (const [key, now] of Object.entries(after)) {
    if (before[key] !== undefined) continue;
    if (!isOld(tableOf(key, now))) continue;
    if (key.startsWith('column ') && mustBeGiven(now)) breaks.push(`${key} has no default`);
    const isOnce = key.startsWith('index ') && now.startsWith('CREATE UNIQUE');
    if (isOnce && !wider.includes(key)) breaks.push(`${key} is new`);
    const isCheck = key.startsWith('constraint ') && !namesNewColumn(key, now, before, after);
    if (isCheck && !wider.includes(key)) breaks.push(`${key} is new`);
  }
  return breaks;
}

function changedColumn(key: string, old: string, now: string): string[] {
  const typeOf = (definition: string) =>
    definition.replace(/ not null.*$| identity .*$| default .*$/, '');
  if (typeOf(old) !== typeOf(now)) return [`${key} is now ${now}`];
  if (!isRequired(old) && isRequired(now)) return [`${key} refuses null`];
  return mustBeGiven(now) && !mustBeGiven(old) ? [`${key} has lost its default`] : [];
}

const isRequired = (definition: string): boolean => / not null/.test(definition);

function mustBeGiven(definition: string): boolean {
  return isRequired(definition) && !/ (default|identity) /.test(definition);
}

/** Whether a view in a table's place keeps the rows that the version before inserts. */
function takesRows(view: string, after: Catalogue): boolean {
  return Object.entries(after).some(
    ([key, trigger]) =>
      key.startsWith(`trigger ${view}.`) &&
      / INSTEAD OF INSERT ON /.test(trigger) &&
      !trigger.endsWith(' disabled'),
  );
}

/** The table that an object belongs to. */
function tableOf(key: string, definition: string): string {
  const index = / ON (\w+) USING/.exec(definition)?.[1];
  return index ?? /^\w+ (\w+)(\.|$)/.exec(key)?.[1] ?? '';
}

/** Whether a constraint is about a column that the version before leaves null. */
function namesNewColumn(
  key: string,
  definition: string,
  before: Catalogue,
  after: Catalogue,
): boolean {
  const prefix = `column ${tableOf(key, definition)}.`;
  return Object.keys(after).some(
    (each) =>
      each.startsWith(prefix) &&
      before[each] === undefined &&
      new RegExp(`\\b${each.slice(prefix.length)}\\b`).test(definition),
  );
}
