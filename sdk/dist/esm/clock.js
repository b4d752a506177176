export const systemClock = {
    now: () => Date.now(),
    sleep: (delayMs, signal) => new Promise((resolve, reject) => {
        if (signal?.aborted)
            return reject(signal.reason);
        const end = () => {
            clearTimeout(timer);
            reject(signal?.reason);
        };
        const timer = setTimeout(() => {
            signal?.removeEventListener('abort', end);
            resolve();
        }, delayMs);
        signal?.addEventListener('abort', end, { once: true });
    }),
};
