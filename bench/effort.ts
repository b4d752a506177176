/** The lengths of a run's measurements. */
export interface Effort {
  readonly rounds: number;
  /** The length of a round of calls. */
  readonly seconds: number;
  /** The unmeasured start of a round of calls: connections open, code is compiled. */
  readonly warmUpSeconds: number;
  /** Webhooks of a round. */
  readonly deliveries: number;
  readonly lagSeconds: number;
  /** Listeners that receive the webhooks of a round in turn. */
  readonly lagListeners: number;
  /** The time between a start and the reading of its memory. */
  readonly restSeconds: number;
}

/** Machines are shared and noisy: the median of five rounds holds when two are disturbed. */
export const FULL: Effort = {
  rounds: 5,
  seconds: 5,
  warmUpSeconds: 1,
  deliveries: 5_000,
  lagSeconds: 20,
  lagListeners: 100,
  restSeconds: 5,
};

/** Shows in seconds that every line works; the figures mean little. */
export const QUICK: Effort = {
  rounds: 1,
  seconds: 0.1,
  warmUpSeconds: 0.05,
  deliveries: 100,
  lagSeconds: 0.3,
  lagListeners: 10,
  restSeconds: 0.2,
};
