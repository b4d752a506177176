/** The metrics of one process. */
export interface ProcessMetrics {
  /** The value of the label `process`. */
  readonly process: string;
  /** Prometheus text. */
  readonly text: string;
}

interface Family {
  readonly head: string[];
  readonly samples: string[];
}

/**
 * Joins the metrics of several processes into one Prometheus text: every series gets a label
 * `process`, and no values are added. A sum would fall when a process restarts, and `rate` would
 * read the fall as a counter that began at nought.
 */
export function mergeMetrics(all: readonly ProcessMetrics[]): string {
  const families = new Map<string, Family>();
  for (const { process, text } of all) {
    let family: Family | undefined;
    let isFirst = false;
    for (const line of text.split('\n')) {
      if (line === '') continue;
      const [, kind, name = ''] = /^# (HELP|TYPE) (\S+)/.exec(line) ?? [];
      if (kind) {
        isFirst = !families.has(name) || (isFirst && families.get(name) === family);
        family = families.get(name) ?? { head: [], samples: [] };
        families.set(name, family);
        if (isFirst) family.head.push(line);
      } else if (family && !line.startsWith('#')) {
        family.samples.push(labelled(line, process));
      }
    }
  }
  const lines = [...families.values()].flatMap(({ head, samples }) => [...head, ...samples]);
  return `${lines.join('\n')}\n`;
}

/** `name 1` → `name{process="1"} 1`; `name{a="b"} 1` → `name{process="1",a="b"} 1`. */
function labelled(sample: string, process: string): string {
  const end = sample.search(/[{ ]/);
  const name = sample.slice(0, end);
  const rest = sample.slice(end + 1);
  const label = `process="${process}"`;
  return sample[end] === '{' ? `${name}{${label},${rest}` : `${name}{${label}} ${rest}`;
}
