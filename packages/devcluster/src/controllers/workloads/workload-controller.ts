import { type KubeObject, objectKey, type ResourceType } from "@kindling/api-server";
import type { Workload } from "../../objects/apps.ts";
import type { Controller, ControllerContext } from "../controller.ts";
import { follow } from "../follow.ts";
import { SystemWriter } from "../system-writer.ts";
import { WorkQueue } from "../work-queue.ts";

/** The frame of the controllers of workloads: looks at an object again when it or something that it controls changes. */
export abstract class WorkloadController implements Controller {
  protected readonly context: ControllerContext;
  protected readonly type: ResourceType;
  protected readonly writer: SystemWriter;
  readonly #owned: readonly string[];
  readonly #queue: WorkQueue;
  readonly #stops: (() => void)[] = [];

  /** `owned` are the resources whose objects the workload controls. */
  constructor(context: ControllerContext, plural: string, owned: readonly string[]) {
    this.context = context;
    this.type = context.api.types.builtIn(plural, "apps");
    this.writer = new SystemWriter(context.api, "kube-controller-manager");
    this.#owned = owned;
    this.#queue = new WorkQueue(context.api.clock, (key) => this.#sync(key));
  }

  start(): void {
    const { store } = this.context.api;
    const collection = store.collection(this.type.storageKey);
    const add = ({ metadata }: KubeObject): void => this.#queue.add(objectKey(metadata.namespace, metadata.name));
    this.#stops.push(follow(collection, ({ object }) => add(object.object)));
    for (const resource of this.#owned) {
      this.#stops.push(
        follow(store.collection(resource), ({ object: { object } }) => {
          for (const { kind, name, controller } of object.metadata.ownerReferences ?? []) {
            if (controller === true && kind === this.type.kind)
              this.#queue.add(objectKey(object.metadata.namespace, name));
          }
        }),
      );
    }
    for (const { object } of collection.list()) add(object);
  }

  stop(): void {
    for (const stop of this.#stops) stop();
    this.#queue.stop();
  }

  protected abstract sync(workload: Workload): void;

  #sync(key: string): void {
    const stored = this.context.api.store.collection(this.type.storageKey).getByKey(key);
    if (stored === undefined || stored.object.metadata.deletionTimestamp !== undefined) return;
    this.sync(stored.object as Workload);
  }
}
