/** The client's source of time. A test gives its own clock and never waits. */
export interface Clock {
    /** Milliseconds since 1970. */
    now(): number;
    /** Waits; rejects with the signal's reason as soon as the signal is aborted. */
    sleep(delayMs: number, signal?: AbortSignal): Promise<void>;
}
export declare const systemClock: Clock;
