import { boundLogFiles, openLogFile } from '../state/log-files.mjs';
import { noteParts } from './earlier-run.mjs';
import { capital, diedEarly, startPart } from './service-process.mjs';
import { localParts } from './services.mjs';

/**
 * Starts every part side by side and waits until all of them are ready. When one part ends, for any
 * reason, all parts end.
 * @param {import('./npm-start.mjs').Context} context
 * @param {import('./service-environment.mjs').Ingredients} ingredients
 */
export async function bringUpParts({ settings, step, stop }, ingredients) {
  await step('Services', async () => {
    const parts = localParts(settings);
    const logs = parts.map(({ name }) => openLogFile(settings.localDir, name));
    stop.onStop(boundLogFiles(logs));
    /** @type {import('./service-process.mjs').PartProcess[]} */
    const running = [];
    stop.onStop(() => Promise.all(running.map((part) => part.stop())));
    const starts = parts.map(async (part, index) => {
      const log = /** @type {import('../state/log-files.mjs').LogFile} */ (logs[index]);
      const env = part.environment(ingredients);
      const onStart = (/** @type {import('./service-process.mjs').PartProcess} */ started) => {
        running.push(started);
        noteParts(
          settings.localDir,
          running.map(({ pid }) => pid ?? 0),
        );
        started.ended.then((ending) => {
          const sentence = `${capital(part.title)} has stopped; stopping all …`;
          if (ending.code === 0) stop.request({ sentence });
          else stop.request({ sentence, failure: diedEarly(part.title, ending, log) });
        });
      };
      await startPart(part, { env, log, signal: stop.signal, onStart });
    });
    await Promise.all(starts);
    return parts.map(({ name }) => name).join(' and ');
  });
}
