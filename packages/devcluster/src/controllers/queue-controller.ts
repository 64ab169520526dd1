import { type KubeObject, objectKey } from "@kindling/kube-objects";
import type { Collection, StoreEvent } from "@kindling/api-server";
import type { Controller, ControllerContext } from "./controller.ts";
import { follow } from "./follow.ts";
import { SystemWriter } from "./system-writer.ts";
import { WorkQueue } from "./work-queue.ts";

/**
 * The base of most controllers: changes put keys into a queue, and each key is handled in its turn. `start` says what a
 * controller follows.
 */
export abstract class QueueController implements Controller {
  protected readonly context: ControllerContext;
  protected readonly writer: SystemWriter;
  protected readonly queue: WorkQueue;
  readonly #stops: (() => void)[] = [];

  constructor(context: ControllerContext, manager: string = "kube-controller-manager") {
    this.context = context;
    this.writer = new SystemWriter(context.api, manager);
    this.queue = new WorkQueue(context.api.clock, (key) => this.sync(key));
  }

  abstract start(): void;

  stop(): void {
    for (const stop of this.#stops.splice(0)) stop();
    this.queue.stop();
  }

  /** Brings the object of a key from its current state to the desired state. If it throws, the key is tried again. */
  protected abstract sync(key: string): void;

  /** Calls the handler for each later write to a collection. */
  protected follow(collection: Collection, handle: (event: StoreEvent) => void): void {
    this.onStop(follow(collection, handle));
  }

  /** Registers a function for the end. */
  protected onStop(stop: () => void): void {
    this.#stops.push(stop);
  }

  /** Puts an object into the queue, by its `objectKey`. */
  protected add({ metadata }: KubeObject): void {
    this.queue.add(objectKey(metadata.namespace, metadata.name));
  }
}
