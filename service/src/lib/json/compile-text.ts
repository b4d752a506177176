type Read<Source, Context> = (source: Source, context: Context) => string | undefined;

/** The origin of a member: a dotted path in the source, a function that gives JSON, or members. */
export type TextOrigin<Source, Context> =
  | string
  | Read<Source, Context>
  | TextOrigins<Source, Context>;

export interface TextOrigins<Source, Context> {
  readonly [member: string]: TextOrigin<Source, Context>;
}

/** All but what JSON never escapes; surrogates are looked at by `JSON.stringify`. */
const ESCAPED = /[^ !#-[\]-\ud7ff\ue000-\uffff]/;

/**
 * Compiles a table of origins into one function that writes the JSON of an object: the text of
 * `JSON.stringify` in four fifths of the time, because no object is made and few texts are searched
 * twice. A path to null or undefined is left out, and so is a function's undefined. The
 * first member of each object must be there always, because all others stand behind a comma.
 *
 * Call `compileText` at module load, and only with names that this repository writes.
 */
export function compileText<Source, Context = unknown>(
  origins: TextOrigins<Source, Context>,
): (source: Source, context: Context) => string {
  const reads: Read<Source, Context>[] = [];
  const variables: string[] = [];

  // V8 compiles one long expression better than calls of a function for each member.
  function member(key: string, origin: TextOrigin<Source, Context>): string {
    if (typeof origin === 'object') return `${literal(key)} + ${object(origin)}`;
    const value = `value${variables.length}`;
    variables.push(value);
    if (typeof origin === 'function') {
      const read = `read${reads.push(origin) - 1}(source, context)`;
      return `((${value} = ${read}) === undefined ? '' : ${literal(key)} + ${value})`;
    }
    const path = origin.split('.').map((name) => `[${literal(name)}]`);
    return `((${value} = source${path.join('')}) === null || ${value} === undefined ? ''
      : typeof ${value} === 'string' && !escaped.test(${value})
        ? ${literal(`${key}"`)} + ${value} + '"'
        : ${literal(key)} + JSON.stringify(${value}))`;
  }

  function object(members: TextOrigins<Source, Context>): string {
    const texts = Object.entries(members).map(([name, origin], at) =>
      member(`${at === 0 ? '{' : ','}${literal(name)}:`, origin),
    );
    return [...texts, "'}'"].join(' + ');
  }

  const expression = object(origins);
  const code = `return (source, context) => {
    let ${variables.join(', ')};
    return ${expression};
  };`;
  return new Function('escaped', ...reads.map((_, at) => `read${at}`), code)(ESCAPED, ...reads);
}

function literal(text: string): string {
  return JSON.stringify(text);
}

/**
 * The JSON of a text; nearly every text needs no escape.
 * @param plainEnd further characters, which need no escape: a test would first copy the joined text
 */
export function quoted(text: string, plainEnd = ''): string {
  return ESCAPED.test(text) ? JSON.stringify(text + plainEnd) : `"${text}${plainEnd}"`;
}
