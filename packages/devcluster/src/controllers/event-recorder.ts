import { formatMicroTime, formatTime, type KubeObject } from "@kindling/kube-objects";
import { type Api, ApiError } from "@kindling/api-server";
import type { KubeEvent } from "../objects/core.ts";
import { SystemWriter } from "./system-writer.ts";

/** The component that writes the event, and its node. */
export interface EventSource {
  readonly component: string;
  readonly host?: string;
}

export interface Happening {
  readonly about: KubeObject;
  /** A part of the object, such as `spec.containers{main}`. */
  readonly fieldPath?: string;
  readonly type: "Normal" | "Warning";
  readonly reason: string;
  readonly message: string;
  readonly source: EventSource;
  /** The current action; the scheduler sets it. */
  readonly action?: string;
}

/** The real server deletes events after an hour; this one deletes the oldest when there are too many. */
const LIMIT = 5000;

/** Writes events; repeated events are counted. */
export class EventRecorder {
  readonly #api: Api;
  readonly #writer: SystemWriter;
  /** Names of the recorded events by their content, the oldest first. */
  readonly #recorded = new Map<string, { namespace: string; name: string }>();
  #count = 0;

  constructor(api: Api) {
    this.#api = api;
    this.#writer = new SystemWriter(api, "event-recorder");
  }

  record(happening: Happening): void {
    const { about, fieldPath = "", reason, message, source } = happening;
    const key = JSON.stringify([about.metadata.uid, fieldPath, reason, message, source.component]);
    const known = this.#recorded.get(key);
    try {
      if (known === undefined || !this.#countUp(known)) this.#create(key, happening);
    } catch (error) {
      // It does no harm to lose an event of a namespace that is being deleted.
      if (!(error instanceof ApiError)) throw error;
    }
  }

  #countUp({ namespace, name }: { namespace: string; name: string }): boolean {
    const collection = this.#api.store.collection("events");
    const stored = collection.get(namespace, name);
    if (stored === undefined) return false;
    const event = stored.object as KubeEvent;
    const lastTimestamp = formatTime(this.#api.clock.now());
    collection.put({ ...event, count: (event.count ?? 1) + 1, lastTimestamp }, stored.managed);
    return true;
  }

  #create(key: string, { about, fieldPath, type, reason, message, source, action }: Happening): void {
    const { namespace = "default", name, uid, resourceVersion } = about.metadata;
    this.#count += 1;
    // The real names end in the time in nanoseconds; these have the same length, and are unique.
    const suffix = (BigInt(this.#api.clock.now()) * 1_000_000n + BigInt(this.#count % 1_000_000)).toString(16);
    const now = formatTime(this.#api.clock.now());
    const own = `${name}.${suffix}`;
    this.#writer.create(this.#api.types.builtIn("events"), namespace, {
      metadata: { name: own },
      involvedObject: {
        kind: about.kind,
        namespace: about.metadata.namespace ?? "",
        name,
        uid,
        apiVersion: about.apiVersion,
        resourceVersion: resourceVersion ?? "",
        ...(fieldPath === undefined ? {} : { fieldPath }),
      },
      reason,
      message,
      type,
      ...(action === undefined
        ? {
            source: { component: source.component, ...(source.host === undefined ? {} : { host: source.host }) },
            firstTimestamp: now,
            lastTimestamp: now,
            count: 1,
          }
        : { eventTime: formatMicroTime(this.#api.clock.now()), action }),
      reportingComponent: source.component,
      reportingInstance: source.host ?? (action === undefined ? "" : source.component),
    });
    this.#recorded.delete(key);
    this.#recorded.set(key, { namespace, name: own });
    if (this.#recorded.size > LIMIT) this.#forgetOldest();
  }

  #forgetOldest(): void {
    const [oldest] = this.#recorded;
    if (oldest === undefined) return;
    const [key, { namespace, name }] = oldest;
    this.#recorded.delete(key);
    this.#api.store.collection("events").remove(namespace, name);
  }
}
