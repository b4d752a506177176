import { PaymentRequestsError } from '@payment-requests/sdk';
import { InputFault, TOOLS, type Tool, ToolFault, type ToolInput } from '@payment-requests/sdk/cli';
import { Argument, InvalidArgumentError, Option } from 'commander';
import { defineTool, type MakeCommand } from '#commands/cli/define-command.ts';
import { type Input, wordOf } from '#commands/cli/inputs.ts';
import type { Invocation } from '#commands/cli/invocation.ts';
import { printResult } from '#commands/cli/print-result.ts';
import { OperatorFault } from '#merchants/operator-fault.ts';

/** The SDK's tools for a merchant's listener, as commands of `payreq`. */
export const listenCommand = offered(TOOLS.listen);
export const triggerCommand = offered(TOOLS.trigger);
export const verifyListenerCommand = offered(TOOLS['verify-listener']);

function offered(tool: Tool): MakeCommand {
  const { summary, inputs, more } = tool;
  return (name, invocation) =>
    defineTool({
      summary,
      ...(more && { more: more('payreq') }),
      options: Object.fromEntries(
        Object.entries(inputs).map(([key, input]) => [key, asInput(input, invocation)]),
      ),
      async run(options, shell) {
        try {
          const result = await tool.run(options, { ...shell, program: 'payreq' });
          if (result === null) return;
          printResult(shell, { json: options.json === true }, result.value, result.lines);
          if (!result.isOk) shell.fail();
        } catch (error) {
          const isTold = error instanceof ToolFault || error instanceof PaymentRequestsError;
          throw isTold ? new OperatorFault(error.message) : error;
        }
      },
    })(name, invocation);
}

/** Commander's own `env` would read the environment of the process. */
function asInput(
  {
    summary,
    placeholder,
    isArgument,
    isRequired,
    variable,
    choices,
    usual,
    absent,
    read,
  }: ToolInput<unknown>,
  { env }: Pick<Invocation, 'env'>,
): Input<unknown> {
  const readOrRefuse = (text: string) => {
    try {
      return read ? read(text) : text;
    } catch (error) {
      throw error instanceof InputFault ? new InvalidArgumentError(error.message) : error;
    }
  };
  return {
    absent: (variable && env[variable]) ?? absent,
    declare(key) {
      const word = wordOf(key);
      if (isArgument) return new Argument(`<${word}>`, summary).argParser(readOrRefuse);
      const option = new Option(
        placeholder === null ? `--${word}` : `--${word} ${placeholder}`,
        summary,
      );
      if (placeholder !== null) option.argParser(readOrRefuse);
      if (choices) option.choices(choices);
      return option.default(usual).makeOptionMandatory(isRequired ?? false);
    },
  };
}
