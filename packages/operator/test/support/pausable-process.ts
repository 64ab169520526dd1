import type { KubeClient } from "@kindling/kube";
import type { Clock } from "@kindling/outside";
import { pausableClient } from "./pausable-client.ts";
import { Pause } from "./pause.ts";

/** A process that may be paused for a while without noticing it, as when a virtual machine migrates. */
export interface PausableProcess {
  readonly clock: Clock;
  /**
   * A client of this process.
   *
   * @param pausesAt the call before which the process is paused, once: `create pods`, `replace sparkapplications status`;
   *   dry runs do not count
   */
  client(inner: KubeClient, pausesAt?: string): KubeClient;
  /** Resolves when it has been paused. */
  readonly paused: Promise<void>;
  /** Lets it go on, with everything that has arrived for it in the meantime. */
  resume(): void;
}

export function pausableProcess(clock: Clock): PausableProcess {
  const pause = new Pause();
  return {
    paused: pause.begun,
    resume: () => pause.end(),
    clock: pausableClock(clock, pause),
    client: (inner, pausesAt) => pausableClient(inner, pause, pausesAt),
  };
}

/** A clock whose timers ring only when the pause is over. */
function pausableClock(clock: Clock, pause: Pause): Clock {
  return {
    now: () => clock.now(),
    monotonic: () => clock.monotonic(),
    after(milliseconds, callback) {
      let isCancelled = false;
      const ring = async (): Promise<void> => {
        await pause.isOver();
        if (!isCancelled) callback();
      };
      const cancel = clock.after(milliseconds, () => void ring());
      return () => {
        isCancelled = true;
        cancel();
      };
    },
  };
}
