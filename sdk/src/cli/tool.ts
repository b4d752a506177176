/** An option or argument of a tool; `run` gets its value under its key in the table. */
export interface ToolInput<Value> {
  readonly summary: string;
  /** The value in the help, as in `<url>`; null: a flag. */
  readonly placeholder: string | null;
  readonly isArgument?: true;
  readonly isRequired?: true;
  /** The environment variable that may hold the value instead. */
  readonly variable?: string;
  readonly choices?: readonly string[];
  /** The usual value, which the help shows. */
  readonly usual?: Value;
  /** The value without the option. */
  readonly absent?: Value;
  /** @throws InputFault with a hint */
  readonly read?: (text: string) => Value;
}

export type ToolInputs = Readonly<Record<string, ToolInput<unknown>>>;

export type ToolValues<Table extends ToolInputs> = {
  readonly [Key in keyof Table]: Table[Key] extends ToolInput<infer Value> ? Value : never;
};

/** The surroundings of a run, of this package's program or of another that offers its tools. */
export interface ToolShell {
  /** The word before the tool's name on the command line. */
  readonly program: string;
  readonly stdout: { write(text: string): unknown };
  /** Aborts when the person interrupts the run. */
  interruption(): AbortSignal;
}

/** The result of a tool: a document for programs, and lines for people. */
export interface ToolResult {
  readonly value: unknown;
  readonly lines: readonly string[];
  /** false: the tool did its work and has found a fault. */
  readonly isOk: boolean;
}

/** A tool of the command line, as any program can offer it. */
export interface Tool<Table extends ToolInputs = ToolInputs> {
  readonly name: string;
  readonly summary: string;
  readonly inputs: Table;
  /** The text below the options of the help. @param program as in ToolShell */
  more?(program: string): string;
  /** @returns null: the tool has written what it had to say */
  run(values: ToolValues<Table>, shell: ToolShell): Promise<ToolResult | null>;
}

export function defineTool<Table extends ToolInputs>(tool: Tool<Table>): Tool<Table> {
  return tool;
}

export function flag(summary: string): ToolInput<boolean> {
  return { summary, placeholder: null, absent: false };
}

export function option<Value = string>(
  placeholder: string,
  summary: string,
  read?: (text: string) => Value,
): ToolInput<NoInfer<Value> | null> {
  return { summary, placeholder, absent: null, ...(read && { read }) };
}

/** An option whose value may also stand in the environment, as secrets should. */
export function fromEnvironment(
  variable: string,
  placeholder: string,
  summary: string,
): ToolInput<string | null> {
  return { summary: `${summary} (env: ${variable})`, placeholder, variable, absent: null };
}

/** The command line cannot be read; the message is a hint. */
export class InputFault extends Error {}

/** The tool cannot do its work; the message gives the reason for people. */
export class ToolFault extends Error {}
