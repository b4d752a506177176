/** Work that falls due at an instant of the clock that the test moves. */
export interface Schedule {
    now(): Date;
    /** @param run is awaited, before anything that falls due later */
    at(dueMs: number, run: () => void | Promise<void>): void;
    /** Moves the clock, and does what falls due in the order of its instants. */
    advance(seconds: number): Promise<void>;
    /** Moves the clock until a condition holds, at most by so many seconds. */
    advanceUntil(isDone: () => boolean, seconds: number): Promise<void>;
}
export declare function createSchedule(startsAt: Date): Schedule;
