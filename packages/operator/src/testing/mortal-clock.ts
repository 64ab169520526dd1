import type { Clock } from "@kindling/outside";

/** The clock of a process that may die. */
export interface MortalClock {
  readonly clock: Clock;
  /** No timer rings after this. */
  stop(): void;
}

export function mortalClock(clock: Clock): MortalClock {
  let isStopped = false;
  const alarms = new Set<() => void>();
  return {
    clock: {
      now: () => clock.now(),
      monotonic: () => clock.monotonic(),
      after(milliseconds, callback) {
        if (isStopped) return () => undefined;
        const stop = (): void => {
          alarms.delete(stop);
          cancel();
        };
        const cancel = clock.after(milliseconds, () => {
          stop();
          callback();
        });
        alarms.add(stop);
        return stop;
      },
    },
    stop() {
      isStopped = true;
      for (const stop of alarms) stop();
    },
  };
}
