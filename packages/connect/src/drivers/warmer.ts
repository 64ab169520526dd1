import { messageOf } from "@kindling/core-spec";
import type { Outside } from "@kindling/outside";
import type { Log } from "@kindling/service";
import type { Profile } from "../profiles/profile.ts";
import type { DriverConnections } from "./driver-connections.ts";
import type { DriverRecord } from "./driver-record.ts";
import type { Drivers } from "./drivers.ts";
import { runFirstQuery } from "./first-query.ts";

export interface WarmerOptions {
  readonly outside: Outside;
  readonly log: Log;
  readonly drivers: Drivers;
  readonly connections: DriverConnections;
}

/** The first query of a driver waits for its executors. */
const FIRST_QUERY_MS = 300_000;

/** Prepares drivers that wait for a session: each runs one query when it is ready. */
export class Warmer {
  readonly #options: WarmerOptions;
  /** Drivers that were seen, by the uid of their pods. */
  readonly #seen = new Set<string>();

  constructor(options: WarmerOptions) {
    this.#options = options;
  }

  /** Prepares a driver, without waiting for that. Only the first call for a driver does something. */
  warmUp(parked: DriverRecord, profile: Profile): void {
    if (this.#seen.has(parked.uid)) return;
    this.#seen.add(parked.uid);
    this.#prepare(parked, profile).catch((error: unknown) =>
      this.#options.log.warn("a driver that should wait for a session is not ready", {
        name: parked.name,
        error: messageOf(error),
      }),
    );
  }

  /** Forgets drivers that are gone. */
  keepOnly(uids: ReadonlySet<string>): void {
    for (const uid of this.#seen) if (!uids.has(uid)) this.#seen.delete(uid);
  }

  async #prepare({ namespace, name }: DriverRecord, profile: Profile): Promise<void> {
    const { drivers, connections, outside, log } = this.#options;
    const ready = await drivers.untilReady(() => drivers.cache.get(`${namespace}/${name}`), profile);
    const signal = AbortSignal.timeout(FIRST_QUERY_MS);
    const isAnswered = await runFirstQuery(ready, { connections, random: outside.random, signal });
    log.info("a driver waits for a session", { profile: profile.name, name, isAnswered });
  }
}
