/** The settings that belong to a network, for the check of a configuration. */
export interface NetworkSettings<Name extends string = string> {
  /** Its value of `E_TRANSFER_NETWORK`. */
  readonly name: Name;
  /** The effect that another network does not have. */
  readonly effect: string;
  /** Settings that are half of an edit on another network. */
  readonly refused: readonly string[];
  /** Tuned values that may stay on another network. */
  readonly warned: readonly string[];
  /** Faults among the readable settings, each a sentence. `isOn`: this network is configured. */
  findFaults(values: ReadonlyMap<string, unknown>, isOn: boolean): string[];
}
