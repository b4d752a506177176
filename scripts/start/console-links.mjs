import { userInfo } from 'node:os';
import { ENVIRONMENTS } from '../state/settings.mjs';
import { payreqJson } from './run-payreq.mjs';
import { serviceEnvironment } from './service-environment.mjs';

/**
 * Makes a one-time link to the console of each service, for the operator of this machine.
 * @param {import('./npm-start.mjs').Context} context
 * @param {import('./service-environment.mjs').Ingredients} ingredients
 * @returns {Promise<string[]>} the addresses, of the sandbox and of production
 */
export async function makeConsoleLinks({ step, stop }, ingredients) {
  /** @type {string[]} */
  let links = [];
  await step('Console', async () => {
    const command = ['console', 'link', '--role', 'operator', '--person', personName()];
    const made = ENVIRONMENTS.map((environment) =>
      payreqJson(command, {
        env: serviceEnvironment(ingredients, environment),
        signal: stop.signal,
      }),
    );
    links = (await Promise.all(made)).map(({ url }) => url);
    return 'links made';
  });
  return links;
}

/** The account; one without a usable name is an operator of this machine. */
function personName() {
  try {
    const { username } = userInfo();
    return /^[A-Za-z0-9][\w.@-]{0,63}$/.test(username) ? username : 'operator';
  } catch {
    return 'operator';
  }
}
