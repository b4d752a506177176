import { Command } from 'commander';
import type { Invocation } from '#commands/cli/invocation.ts';
import { merchantCreateCommand } from './create.ts';
import { merchantListCommand } from './list.ts';
import { merchantListAccountsCommand } from './list-accounts.ts';
import { merchantResumeCommand } from './resume.ts';
import { merchantSetAccountCommand } from './set-account.ts';
import { merchantSetLimitsCommand } from './set-limits.ts';
import { merchantSetNoticesCommand } from './set-notices.ts';
import { merchantSetOriginsCommand } from './set-origins.ts';
import { merchantSetProfileCommand } from './set-profile.ts';
import { merchantSetWebhookUrlCommand } from './set-webhook-url.ts';
import { merchantSuspendCommand } from './suspend.ts';

/** `payreq merchant`: every command about merchants. */
export function merchantCommand(invocation: Invocation): Command {
  return new Command('merchant')
    .description('the businesses that create payment requests')
    .addCommand(merchantCreateCommand(invocation))
    .addCommand(merchantListCommand(invocation))
    .addCommand(merchantSuspendCommand(invocation))
    .addCommand(merchantResumeCommand(invocation))
    .addCommand(merchantSetProfileCommand(invocation))
    .addCommand(merchantSetAccountCommand(invocation))
    .addCommand(merchantSetLimitsCommand(invocation))
    .addCommand(merchantSetNoticesCommand(invocation))
    .addCommand(merchantListAccountsCommand(invocation))
    .addCommand(merchantSetWebhookUrlCommand(invocation))
    .addCommand(merchantSetOriginsCommand(invocation, 'webhook'))
    .addCommand(merchantSetOriginsCommand(invocation, 'return'));
}
