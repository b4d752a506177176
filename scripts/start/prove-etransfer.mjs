import { payreq, payreqJson } from './run-payreq.mjs';
import { serviceEnvironment } from './service-environment.mjs';

/**
 * Proves the Interac address of a Canadian demo, whose page leads with it then (bank-connection
 * §4). A later start finds the proof and books nothing.
 * @param {import('./npm-start.mjs').Context} context
 * @param {import('./service-environment.mjs').Ingredients} ingredients
 * @param {string} merchantId
 */
export async function proveEtransfer({ settings, step, stop }, ingredients, merchantId) {
  if (!settings.isBankDemo) return;
  const options = { env: serviceEnvironment(ingredients, 'production'), signal: stop.signal };
  await step('Interac e-Transfer', async () => {
    const proof = ['bank', 'etransfer-proof', '--merchant', merchantId];
    const { address, provenDateTime } = await payreqJson(proof, options);
    if (provenDateTime === null) await payreq(['bank', 'demo-pay', '--proofs'], options);
    return `${address}, proven by a made statement`;
  });
}
