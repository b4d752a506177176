// The running step is drawn on a terminal this often: smooth enough, and costs nothing.
const REDRAW_MS = 100;
// Without a terminal a step that lasts longer than this says that it has begun.
const LONG_STEP_MS = 2_000;
const FRAMES = '⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏';
const TITLE_WIDTH = 14;

/**
 * @typedef {object} Progress
 * @property {Step} step
 * @property {(line: string) => void} say prints a line of its own
 */
/**
 * Runs one step and shows its title and time. A string that the step returns is printed beside
 * them; `note` prints the present part of the step.
 * @typedef {<T>(title: string, run: (note: (text: string) => void) => Promise<T>) => Promise<T>}
 * Step
 */

/**
 * Shows steps: on a terminal a line each that ticks while it runs, else plain lines.
 * @param {NodeJS.WriteStream} [stream] @returns {Progress}
 */
export function createProgress(stream = process.stdout) {
  const live = stream.isTTY === true && process.env.TERM !== 'dumb';
  return { step: live ? liveStep(stream) : plainStep(stream), say: (l) => stream.write(`${l}\n`) };
}

/**
 * For commands whose own output is the point: says on stderr that a long step has begun, no more.
 * @returns {Progress}
 */
export function createQuietProgress() {
  const say = (/** @type {string} */ line) => process.stderr.write(`${line}\n`);
  return { step: plainStep(process.stderr, false), say };
}

/** @param {number} startedAt milliseconds @returns {string} such as "1.2 s" */
export function secondsSince(startedAt) {
  return `${((Date.now() - startedAt) / 1000).toFixed(1)} s`;
}

/** @param {NodeJS.WriteStream} stream @returns {Step} */
function liveStep(stream) {
  return async (title, run) => {
    const startedAt = Date.now();
    let text = '';
    const draw = (/** @type {string} */ mark) => {
      const line = `${mark} ${title.padEnd(TITLE_WIDTH)} ${secondsSince(startedAt).padStart(7)}`;
      const shown = `${line}  ${text}`.trimEnd().slice(0, (stream.columns || 80) - 1);
      stream.write(`\r\x1b[2K${shown}`);
    };
    let frame = 0;
    const spin = () => draw(FRAMES[frame++ % FRAMES.length] ?? '');
    const timer = setInterval(spin, REDRAW_MS);
    spin();
    let mark = '✗';
    try {
      const result = await run((note) => {
        text = note;
      });
      text = typeof result === 'string' ? result : '';
      mark = '✓';
      return result;
    } finally {
      clearInterval(timer);
      draw(mark);
      stream.write('\n');
    }
  };
}

/** @param {NodeJS.WriteStream} stream @param {boolean} [saysEnd] @returns {Step} */
function plainStep(stream, saysEnd = true) {
  return async (title, run) => {
    const startedAt = Date.now();
    let doing = '';
    const begun = () => stream.write(`${title}: ${doing ? `${doing} ` : ''}…\n`);
    const timer = setTimeout(begun, LONG_STEP_MS);
    try {
      const result = await run((note) => {
        doing = note;
      });
      const said = typeof result === 'string' ? result : 'done';
      if (saysEnd) stream.write(`${title}: ${said} (${secondsSince(startedAt)})\n`);
      return result;
    } finally {
      clearTimeout(timer);
    }
  };
}
