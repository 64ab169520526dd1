import { isKindlingError, messageOf } from "@kindling/core-spec";
import { sleep, type Clock } from "@kindling/outside";
import type { Log } from "@kindling/service";
import {
  changedDrivers,
  driverKey,
  eitherOf,
  promisesOf,
  type DriverPromises,
  type GatewayOverview,
  type Promises,
} from "@kindling/gateway-client";

/** The executors that a gateway has promised to drivers, as far as it has reported them. */
export interface PromisedExecutors {
  /** The names of executor pods. */
  of(driver: { readonly namespace: string; readonly name: string }): readonly string[];
  stop(): Promise<void>;
}

export interface PromisedExecutorsOptions {
  readonly clock: Clock;
  readonly log: Log;
  /** Whether any executor may have been promised; if not, the gateway is not asked. Does not reject. */
  readonly isNeeded: () => Promise<boolean>;
  readonly ask: (signal: AbortSignal) => Promise<GatewayOverview>;
  /** Called for each driver whose executors have changed. */
  readonly onChange: (driver: DriverPromises) => void;
}

const EVERY_MS = 2_000;

/** How long an answer is kept. A restarting gateway is back within this time; after it, the answer is too old to trust. */
const KEPT_MS = 30_000;

const NOTHING: Promises = new Map();

/** Asks a gateway again and again, until it is stopped. */
export function followPromisedExecutors(options: PromisedExecutorsOptions): PromisedExecutors {
  const { clock, log, isNeeded, ask, onChange } = options;
  const stopping = new AbortController();
  const { signal } = stopping;
  let promises = NOTHING;
  let lastTold = NOTHING;
  let isAnswering = true;
  let forgetLater = (): void => undefined;

  /**
   * The pod of an executor that is no longer listed may exist, while the watch of pods is behind. So the executor counts
   * for one more round.
   */
  function take(told: Promises): void {
    change(eitherOf(lastTold, told));
    lastTold = told;
  }

  function forget(): void {
    change(NOTHING);
    lastTold = NOTHING;
  }

  function change(next: Promises): void {
    const changed = changedDrivers(promises, next);
    promises = next;
    changed.forEach(onChange);
  }

  async function askOnce(): Promise<void> {
    try {
      const next = promisesOf(await ask(signal));
      if (signal.aborted) return;
      forgetLater();
      forgetLater = clock.after(KEPT_MS, forget);
      if (!isAnswering) log.info("the gateway answers again", {});
      isAnswering = true;
      take(next);
    } catch (error) {
      if (signal.aborted || !isAnswering) return;
      isAnswering = false;
      const hint = isKindlingError(error) ? error.hint : undefined;
      const fields = { error: messageOf(error), ...(hint !== undefined && { hint }) };
      log.warn("the gateway does not report which executors it has promised", fields);
    }
  }

  async function run(): Promise<void> {
    while (!signal.aborted) {
      if (await isNeeded()) await askOnce();
      else {
        forgetLater();
        forget();
      }
      await sleep(clock, EVERY_MS, signal);
    }
  }

  const running = run();
  return {
    of: (driver) => promises.get(driverKey(driver))?.executors ?? [],
    async stop() {
      stopping.abort();
      await running;
      forgetLater();
    },
  };
}
