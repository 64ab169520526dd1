import type { ResourceType } from "@kindling/api-server";
import type { Workload } from "../../objects/apps.ts";
import type { ControllerContext } from "../controller.ts";
import { QueueController } from "../queue-controller.ts";

/** The base of the controllers of workloads: handles an object again when it or an object that it controls changes. */
export abstract class WorkloadController extends QueueController {
  protected readonly type: ResourceType;
  readonly #owned: readonly string[];

  /** `owned` are the resources whose objects the workload controls. */
  constructor(context: ControllerContext, plural: string, owned: readonly string[]) {
    super(context);
    this.type = context.api.types.builtIn(plural, "apps");
    this.#owned = owned;
  }

  override start(): void {
    const { store } = this.context.api;
    const collection = store.collection(this.type.storageKey);
    this.follow(collection, ({ object }) => this.add(object.object));
    for (const resource of this.#owned) {
      this.follow(store.collection(resource), ({ object: { object } }) => {
        const { namespace = "", ownerReferences = [] } = object.metadata;
        for (const { kind, name, controller } of ownerReferences) {
          if (controller === true && kind === this.type.kind) this.queue.add(`${namespace}/${name}`);
        }
      });
    }
    for (const { object } of collection.list()) this.add(object);
  }

  protected abstract syncWorkload(workload: Workload): void;

  protected override sync(key: string): void {
    const stored = this.context.api.store.collection(this.type.storageKey).getByKey(key);
    if (stored === undefined || stored.object.metadata.deletionTimestamp !== undefined) return;
    this.syncWorkload(stored.object as Workload);
  }
}
