import schema from '#database/schema/schema.json' with { type: 'json' };
import { STATUSES } from '#payment-requests/model/statuses.ts';
import { REFUND_STATUSES } from '#refunds/model/statuses.ts';
import { NAMED_STATUSES, STATUS_WRITERS, TABLE_WRITERS } from './table-writers.ts';
import { type Tree, withoutComments } from './tree.ts';

const TABLES = Object.keys(schema).flatMap((key) => /^table (\w+)$/.exec(key)?.[1] ?? []);

/** A statement that writes; its table, or the place of an expression that names one. */
const WRITE =
  /\b(?:INSERT\s+INTO|(?<!\b(?:FOR|KEY|DO)\s+)UPDATE|DELETE\s+FROM|TRUNCATE(?:\s+TABLE)?|MERGE\s+INTO|COPY)\s+(?:ONLY\s+)?(?:"?public"?\.)?"?(\w+|\$\{|['"`])/gi;

/**
 * Writers of a table that `TABLE_WRITERS` does not name, its tables without a writer, and tables of
 * the database without an entry. A statement that takes its table from an expression writes every
 * table that the file names.
 */
export function unexpectedWriters(tree: Tree, tables: readonly string[] = TABLES): string[] {
  const unused = new Set<string>();
  const writers = new Map(
    Object.entries(TABLE_WRITERS).flatMap(([names, files]) =>
      names
        .split(' ')
        .map((name): [string, string[]] => [name, files.split(/\s+/).filter(Boolean)]),
    ),
  );
  for (const [table, files] of writers) for (const file of files) unused.add(`${file}: ${table}`);
  const wrong = serviceFiles(tree).flatMap(([file, text]) =>
    tablesWritten(text, tables)
      .filter((table) => {
        const named = writers
          .get(table)
          ?.find((each) => (each.endsWith('/') ? file.startsWith(each) : file === each));
        unused.delete(`${named}: ${table}`);
        return !named;
      })
      .map((table) => `${file} writes ${table}`),
  );
  const missing = tables
    .filter((table) => !writers.has(table))
    .map((table) => `${table}: no entry`);
  return [...wrong, ...missing, ...[...unused].map((each) => `${each} is not written`)];
}

function tablesWritten(text: string, tables: readonly string[]): string[] {
  const found = [...text.matchAll(WRITE)].flatMap(([, name = '']) => {
    if (/^\w/.test(name)) return tables.includes(name.toLowerCase()) ? [name.toLowerCase()] : [];
    const named = tables.filter((table) =>
      new RegExp(`['"\`]${table}['"\`]|^ *${table}:`, 'm').test(text),
    );
    return named.length > 0 ? named : ['a table that it does not name'];
  });
  return [...new Set(found)];
}

/** Statements outside the one writer that set a status of a payment request or of a refund. */
export function otherStatusWriters(tree: Tree): string[] {
  return serviceFiles(tree).flatMap(([file, text]) =>
    Object.entries(STATUS_WRITERS).flatMap(([table, writer]) => {
      const isSet = assignmentsOf(text, table).some((assigned) => STATUS_SET.test(assigned));
      return file !== writer && isSet ? [`${file} sets the status of ${table}`] : [];
    }),
  );
}

/** An assigned column, alone or of a list in parentheses. */
const STATUS_SET = /(?:^|,)\s*(?:\((?:[^()]*,)?\s*"?status"?\s*(?:,[^()]*)?\)|"?status"?)\s*=/i;

/** All that statements of a table assign, without subqueries and arguments. */
function assignmentsOf(text: string, table: string): string[] {
  const named = `(?:"?public"?\\.)?"?${table}"?\\b`;
  const statement = new RegExp(
    `\\bUPDATE\\s+(?:ONLY\\s+)?${named}|\\b(?:INSERT|MERGE)\\s+INTO\\s+${named}`,
    'gi',
  );
  return [...text.matchAll(statement)].flatMap(({ 0: opening, index }) => {
    const [rest = ''] = text.slice(index + opening.length).split('`', 1);
    const isUpdate = /^update/i.test(opening);
    const set = isUpdate ? /\bSET\s/i : /\bUPDATE\s+SET\s/i;
    const at = set.exec(rest);
    if (!at) return [];
    // Parentheses go, the innermost first, until only those of column lists are left.
    let assigned = rest.slice(at.index + at[0].length);
    for (let last = ''; last !== assigned; ) {
      last = assigned;
      assigned = assigned.replace(/\([^()]*\)(?!\s*=)/g, '');
    }
    return [assigned.split(/\b(?:FROM|WHERE|RETURNING)\b/i, 1)[0] ?? ''];
  });
}

const NAMES = [...new Set([...STATUSES, ...REFUND_STATUSES])].join('|');
const CAST = String.raw`(?:\s*::\s*\w+)?`;
const NAMED = `'(?:${NAMES})'`;
/** A comparison in SQL, in either order; `===` is TypeScript. */
const COMPARED = new RegExp(
  String.raw`\bstatus"?\)?${CAST}\s*(?:=(?!=)|<>|!=(?!=)|(?:NOT\s+)?(?:IN|I?LIKE)\b|IS\s|WHEN\b)[\sA-Z([]*(?:'\w+',\s*)*${NAMED}|${NAMED}${CAST}\s*(?:(?<![=!])=(?!=)|<>|!=(?!=)|IS\s)[\sA-Z(]*(?:\w+\.)?"?status\b`,
  'i',
);

/** Statuses that SQL names, where the table of statuses has a list of them. */
export function statusesNamedInSql(tree: Tree): string[] {
  const found = serviceFiles(tree)
    .filter(([file]) => /(^|[-/])(store|outbox)$|^database\//.test(file))
    .filter(([, text]) => COMPARED.test(text))
    .map(([file]) => file);
  const allowed = Object.keys(NAMED_STATUSES);
  return [
    ...found.filter((file) => !allowed.includes(file)),
    ...allowed.filter((file) => !found.includes(file)).map((file) => `${file} names none`),
  ];
}

/** The code of the service without comments, by its path in `service/src` without the ending. */
function serviceFiles(tree: Tree): [string, string][] {
  return [...tree].flatMap(([path, text]): [string, string][] => {
    const file = /^service\/src\/(.*)\.ts$/.exec(path)?.[1];
    return file === undefined ? [] : [[file, withoutComments(text)]];
  });
}
