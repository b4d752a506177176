export interface ProblemGuide {
  /** The cause, for a developer who sees this problem for the first time. */
  readonly meaning: string;
  /** The next step. */
  readonly remedy: string;
  /** The headers that come with the problem and add details. */
  readonly headers?: readonly ProblemHeader[];
}

export type ProblemHeader = 'Allow' | 'Retry-After' | 'WWW-Authenticate';
