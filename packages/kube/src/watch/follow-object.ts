import type { KubeObjectLike } from "@kindling/kube-objects";
import { systemClock, sleep, type Clock } from "@kindling/outside";
import type { KubeClient } from "../client/kube-client.ts";
import { isKubeError, type KubeError } from "../errors/kube-error.ts";
import { isObjectNotFound } from "../errors/status.ts";
import type { ResourceType } from "../resource-type.ts";
import { objectRecovery, type ObjectRecovery } from "./watch-recovery.ts";

export interface FollowObjectOptions {
  readonly namespace: string;
  /** How often to ask if watching is not allowed, and how long to wait before a broken watch is opened again. */
  readonly intervalMs: number;
  readonly signal?: AbortSignal | undefined;
  /** Called when the server cannot be reached, once each time that this begins. */
  readonly onTrouble?: ((error: KubeError) => void) | undefined;
  readonly clock?: Clock | undefined;
  /** Uniform in [0, 1), for jitter. */
  readonly random?: (() => number) | undefined;
}

/**
 * The states of one object, as they come, beginning with the present one; ends when the object is gone, or another one has
 * its name. Watches that end or break are opened again; if watching is forbidden, the object is requested at intervals. A
 * server that does not answer is asked again and again; `watch-recovery.ts` says when, and which faults are permanent and
 * reject.
 */
export async function* followObject<T extends KubeObjectLike>(
  client: KubeClient,
  type: ResourceType<T>,
  name: string,
  options: FollowObjectOptions,
): AsyncGenerator<T, void> {
  const { namespace, intervalMs, signal, onTrouble, clock = systemClock, random = Math.random } = options;
  const recovery = objectRecovery({ intervalMs, clock, random });
  const fieldSelector = `metadata.name=${name}`;
  let isInTrouble = false;
  let uid: string | undefined;
  for (;;) {
    let version: string | undefined;
    try {
      const { object, version: seen } = await look(recovery.lookBy);
      uid ??= object?.metadata?.uid;
      if (object === undefined || object.metadata?.uid !== uid) return;
      isInTrouble = false;
      recovery.shown();
      version = seen;
      yield object;
    } catch (error) {
      if (isObjectNotFound(error, type, name)) return;
      if (!isKubeError(error)) throw error;
      const waitMs = recovery.afterFailedLook(error);
      if (waitMs === undefined) throw error;
      if (!isInTrouble && waitMs > 0) onTrouble?.(error);
      isInTrouble = waitMs > 0;
      await sleep(clock, waitMs, signal);
      continue;
    }
    let waitMs: number;
    try {
      if (recovery.mayWatch) {
        for await (const event of client.watch(type, { namespace, fieldSelector, resourceVersion: version, signal })) {
          if (event.type === "BOOKMARK") continue;
          yield event.object;
          if (event.type === "DELETED") return;
        }
      }
      waitMs = recovery.afterWatch();
    } catch (error) {
      if (!isKubeError(error)) throw error;
      const pauseMs = recovery.afterFailedWatch(error);
      if (pauseMs === undefined) throw error;
      waitMs = pauseMs;
    }
    await sleep(clock, waitMs, signal);
  }

  /** The object, if it exists, and the version from which to watch it. */
  async function look(by: ObjectRecovery["lookBy"]): Promise<{ object: T | undefined; version: string | undefined }> {
    if (by === "list") {
      const { items, resourceVersion } = await client.listAll(type, { namespace, fieldSelector, signal });
      return { object: items[0], version: resourceVersion };
    }
    const object = await client.get(type, name, { namespace, signal });
    return { object, version: object.metadata?.resourceVersion };
  }
}
