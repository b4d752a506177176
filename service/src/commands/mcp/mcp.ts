import { once } from 'node:events';
import { defineCommand } from '#commands/cli/define-command.ts';
import { flag, MERCHANT } from '#commands/cli/inputs.ts';
import { findKnownMerchant } from '#merchants/known-merchant.ts';
import { createLog } from '#telemetry/log/log.ts';
import { createSurface } from './surface.ts';

/** `payreq mcp`: a server of the Model Context Protocol for the editor that starts it. */
export const mcpCommand = defineCommand({
  summary:
    'answer an assistant over standard input and output (Model Context Protocol): the payment ' +
    'requests of one merchant, their timelines and deliveries, and the documentation; in the ' +
    'sandbox also simulations. The audit log has each call',
  options: {
    merchant: MERCHANT,
    withPayerData: flag('show payers’ data too, and search by it; without it they are hidden'),
  },
  async run(deployment, { merchant: id, withPayerData }, shell) {
    const merchant = await findKnownMerchant(deployment.db, id);
    // Standard output belongs to the protocol.
    const log = createLog({ level: 'error', destination: shell.stderr });
    const surface = createSurface({ ...deployment, merchantId: merchant.id, log });
    // Other commands start without the protocol's library.
    const { connectServer } = await import('./server.ts');
    const { stdin, stdout } = shell;
    const ended = Promise.race([
      once(stdin, 'end'),
      once(stdin, 'close'),
      once(shell.interruption(), 'abort'),
    ]);
    const server = await connectServer(surface, { stdin, stdout, withPayerData });
    await ended;
    await server.close();
    await surface.close();
  },
});
