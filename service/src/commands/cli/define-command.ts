import { type Described, defineTool, type MakeCommand, type Shell } from './define-tool.ts';
import type { Inputs, Values } from './inputs.ts';
import { type Deployment, openDeployment } from './with-deployment.ts';

interface DeploymentCommand<Table extends Inputs, Result> extends Described<Table, Result> {
  readonly run: (
    deployment: Deployment,
    options: Values<Table>,
    shell: Shell,
  ) => Result | Promise<Result>;
}

/** Makes a command on the database of a deployment. */
export function defineCommand<Table extends Inputs, Result>({
  run,
  ...described
}: DeploymentCommand<Table, Result>): MakeCommand {
  return defineTool({
    ...described,
    run: (options: Values<Table>, shell) =>
      openDeployment(shell, async (deployment) => run(deployment, options, shell)),
  });
}
