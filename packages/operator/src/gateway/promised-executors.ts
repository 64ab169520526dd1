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

/** What a gateway has promised to drivers, as far as it has told. */
export interface PromisedExecutors {
  /** The names of executor pods. */
  of(driver: { readonly namespace: string; readonly name: string }): readonly string[];
  stop(): Promise<void>;
}

export interface PromisedExecutorsOptions {
  readonly clock: Clock;
  readonly log: Log;
  /** Whether anybody may have been promised anything; without that the gateway is not asked. Does not reject. */
  readonly isNeeded: () => Promise<boolean>;
  readonly ask: (signal: AbortSignal) => Promise<GatewayOverview>;
  /** Told of each driver whose executors have changed. */
  readonly onChange: (driver: DriverPromises) => void;
}

const EVERY_MS = 2_000;

/** A gateway that starts anew is back by then. Afterwards nobody knows what its drivers still wait for. */
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

  /** An executor that is told of no more may have come, and the watch of pods may be behind: it counts once more. */
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
      log.warn("the gateway does not tell which executors it has promised", fields);
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
