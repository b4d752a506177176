"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.createSchedule = createSchedule;
const MOST_STEPS = 100_000;
function createSchedule(startsAt) {
    let nowMs = startsAt.getTime();
    let due = [];
    let tail = Promise.resolve();
    let isRunning = false;
    async function run(isDone, endMs) {
        isRunning = true;
        try {
            for (let step = 0; step < MOST_STEPS; step += 1) {
                if (isDone())
                    return;
                due.sort((one, other) => one.dueMs - other.dueMs);
                const [next] = due;
                if (!next || next.dueMs > endMs) {
                    nowMs = Math.max(nowMs, endMs);
                    return;
                }
                due = due.slice(1);
                nowMs = Math.max(nowMs, next.dueMs);
                await next.run();
            }
            throw new Error(`The time was moved over more than ${MOST_STEPS} steps: move it by less.`);
        }
        finally {
            isRunning = false;
        }
    }
    function endAfter(seconds) {
        const endMs = nowMs + seconds * 1000;
        if (Number.isNaN(new Date(endMs).getTime()))
            throw new RangeError(`${seconds} s lead nowhere.`);
        return endMs;
    }
    function advanceUntil(isDone, seconds) {
        if (isRunning)
            return Promise.resolve();
        tail = tail.catch(() => { }).then(() => run(isDone, endAfter(seconds)));
        return tail;
    }
    return {
        now: () => new Date(nowMs),
        at: (dueMs, work) => void due.push({ dueMs, run: work }),
        advance: (seconds) => advanceUntil(() => false, seconds),
        advanceUntil,
    };
}
