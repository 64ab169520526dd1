import type { KubeClient } from "@kindling/kube";
import type { Clock } from "@kindling/outside";
import { type Death, Life } from "./life.ts";
import { mortalClock } from "./mortal-clock.ts";

/** The outside world of a process that may be killed. */
export interface Mortal {
  readonly client: KubeClient;
  readonly clock: Clock;
  /** Resolves when the process is dead; never resolves if it is not killed. */
  readonly died: Promise<void>;
  /** How many requests there have been. */
  readonly requests: number;
}

/**
 * Kills a process as `kill -9` does: from then on none of its requests is sent, none of its promises settles, and none of
 * its timers fires.
 *
 * @param client of this process only: it is closed when the process dies
 * @param death when the process is killed; without it the process only counts its requests
 */
export function mortal(client: KubeClient, clock: Clock, death?: Death): Mortal {
  const timers = mortalClock(clock);
  const life = new Life(death, () => {
    client.close();
    timers.stop();
  });
  return {
    client: {
      ...client,
      get: (type, name, options) => life.ask(() => client.get(type, name, options)),
      create: (type, object, options) => life.ask(() => client.create(type, object, options)),
      apply: (type, object, options) => life.ask(() => client.apply(type, object, options)),
      replace: (type, object, options) => life.ask(() => client.replace(type, object, options)),
      patch: (type, name, kind, patch, options) => life.ask(() => client.patch(type, name, kind, patch, options)),
      delete: (type, name, options) => life.ask(() => client.delete(type, name, options)),
      deleteCollection: (type, options) => life.ask(() => client.deleteCollection(type, options)),
      list: (type, options) => life.follow(() => client.list(type, options)),
      watch: (type, options) => life.follow(() => client.watch(type, options)),
    },
    clock: timers.clock,
    died: life.died,
    get requests() {
      return life.requests;
    },
  };
}
