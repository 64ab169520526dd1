import type { KubeClient } from "@kindling/kube";
import type { Clock } from "@kindling/outside";

/** When a process is killed. */
export interface Death {
  /** Counted from 1; requests of watches and lists do not count. */
  readonly atRequest: number;
  /** Whether that request still gets to the API server; its answer gets lost in any case. */
  readonly isSent: boolean;
}

/** What a process that may be killed has of the world around it. */
export interface Mortal {
  readonly client: KubeClient;
  readonly clock: Clock;
  /** Resolves when the process is dead; never, if it is not killed. */
  readonly died: Promise<void>;
  /** How many requests there have been. */
  readonly requests: number;
}

/**
 * Kills a process as `kill -9` does: from then on none of its requests is sent, none of its promises settles, and none of
 * its timers rings.
 *
 * @param client of this process alone: it is closed when the process dies
 * @param death when; without it the process only counts its requests
 */
export function mortal(client: KubeClient, clock: Clock, death?: Death): Mortal {
  let isDead = false;
  let requests = 0;
  const alarms = new Set<() => void>();
  let tell: () => void = () => undefined;
  const died = new Promise<void>((resolve) => (tell = resolve));

  function die(): Promise<never> {
    if (!isDead) {
      isDead = true;
      client.close();
      for (const stop of alarms) stop();
      tell();
    }
    return forEver();
  }

  async function ask<T>(request: () => Promise<T>): Promise<T> {
    if (isDead) return await forEver();
    requests += 1;
    const isLast = requests === death?.atRequest;
    if (isLast && !death?.isSent) return await die();
    try {
      const answer = await request();
      return isLast ? await die() : isDead ? await forEver() : answer;
    } catch (error) {
      if (isLast) return await die();
      if (isDead) return await forEver();
      throw error;
    }
  }

  async function* follow<T>(stream: () => AsyncIterable<T>): AsyncGenerator<T, void> {
    if (isDead) await forEver();
    try {
      for await (const one of stream()) {
        if (isDead) await forEver();
        yield one;
      }
    } catch (error) {
      if (isDead) await forEver();
      throw error;
    }
  }

  return {
    client: {
      ...client,
      get: (type, name, options) => ask(() => client.get(type, name, options)),
      create: (type, object, options) => ask(() => client.create(type, object, options)),
      apply: (type, object, options) => ask(() => client.apply(type, object, options)),
      replace: (type, object, options) => ask(() => client.replace(type, object, options)),
      patch: (type, name, kind, patch, options) => ask(() => client.patch(type, name, kind, patch, options)),
      delete: (type, name, options) => ask(() => client.delete(type, name, options)),
      deleteCollection: (type, options) => ask(() => client.deleteCollection(type, options)),
      list: (type, options) => follow(() => client.list(type, options)),
      watch: (type, options) => follow(() => client.watch(type, options)),
    },
    clock: {
      now: () => clock.now(),
      monotonic: () => clock.monotonic(),
      after(milliseconds, callback) {
        if (isDead) return () => undefined;
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
    died,
    get requests() {
      return requests;
    },
  };
}

function forEver(): Promise<never> {
  return new Promise(() => undefined);
}
