import type { KubeClient } from "@kindling/kube";
import type { Clock } from "@kindling/outside";
import { pausableClient } from "./pausable-client.ts";
import { Pause } from "./pause.ts";

/** A process that may be stopped for a while, as by a virtual machine that moves, and does not notice. */
export interface PausableProcess {
  readonly clock: Clock;
  /**
   * A client of this process.
   *
   * @param pausesAt the call that the process is stopped before, once: `create pods`, `replace sparkapplications status`;
   *   what changes nothing is no such call
   */
  client(inner: KubeClient, pausesAt?: string): KubeClient;
  /** Resolves when it has been stopped. */
  readonly paused: Promise<void>;
  /** It goes on, with all that has come for it in the meantime. */
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
