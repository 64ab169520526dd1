import type { KubeObject } from "@kindling/kube-objects";
import { type Cache, startCache, type Watch, watch } from "@kindling/controller";
import { isNotFound, type KubeClient, type KubeError, type ResourceType } from "@kindling/kube";
import type { Outside } from "@kindling/outside";
import type { Log } from "@kindling/service";
import { objectIdentity, withoutManagedFields } from "../../cluster/upstream-types.ts";
import { DRIVER_UID_LABEL, readWorkload, type Workload } from "./workload.ts";
import { workloadNumber } from "./workload-object.ts";

export interface KueueWatchOptions extends Pick<Outside, "clock" | "random"> {
  readonly client: KubeClient;
  readonly log: Log;
  /** Empty: all namespaces. */
  readonly namespaces: readonly string[];
}

/** The resource types of an installed Kueue. */
export interface KueueTypes {
  readonly workloads: ResourceType<KubeObject>;
  readonly flavors: ResourceType<KubeObject>;
}

interface Installed {
  readonly types: KueueTypes;
  readonly workloads: Cache<Workload, "driver">;
  readonly flavors: Cache<KubeObject>;
}

/** The newest version first: later releases will not serve the older one. */
const VERSIONS = ["v1beta2", "v1beta1"] as const;
/** How often it is checked whether Kueue has been installed. */
const AGAIN_MS = 30_000;

/** The Workloads of Kueue that the gateway has made, and Kueue's ResourceFlavors. */
export class KueueWatch {
  readonly #options: KueueWatchOptions;
  readonly #listeners = new Set<(installed: Installed) => void>();
  readonly #usable = new Set<() => void>();
  #installed: Installed | undefined;
  #refusal: string | undefined;
  #cancel: () => void = () => undefined;
  #isStopped = false;

  constructor(options: KueueWatchOptions) {
    this.#options = options;
    void this.#begin();
  }

  /** The types that the API server serves; `undefined` as long as Kueue was not found. */
  get types(): KueueTypes | undefined {
    return this.#installed?.types;
  }

  /** Why Workloads cannot be used yet; `undefined` if they can. */
  get missing(): string | undefined {
    if (this.#installed === undefined) return "Kueue is not installed in this cluster";
    if (this.#refusal !== undefined) return this.#refusal;
    const { workloads, flavors } = this.#installed;
    return workloads.isSynced && flavors.isSynced ? undefined : "Kueue's Workloads have not been listed yet";
  }

  /** Calls the listener whenever it turns out that Workloads can be used from now on, until the result is called. */
  whenUsable(listener: () => void): () => void {
    this.#usable.add(listener);
    return () => void this.#usable.delete(listener);
  }

  /** A watch for a controller: the keys of the drivers whose Workloads change. */
  get driverKeys(): Watch {
    return (add) => {
      let end: () => void = () => undefined;
      const begin = ({ workloads }: Installed): void => {
        end = watch(workloads, ({ object, driver }) => [`${object.metadata.namespace ?? ""}/${driver.name}`])(add);
      };
      if (this.#installed === undefined) this.#listeners.add(begin);
      else begin(this.#installed);
      return () => {
        this.#listeners.delete(begin);
        end();
      };
    };
  }

  /** The Workloads of a driver, the core first, then by number. */
  workloadsOf(driverUid: string): readonly Workload[] {
    const found = this.#installed?.workloads.byIndex("driver", driverUid) ?? [];
    return found
      .filter(({ object }) => object.metadata.deletionTimestamp === undefined)
      .toSorted((a, b) => orderOf(a) - orderOf(b));
  }

  flavor(name: string): KubeObject | undefined {
    return this.#installed?.flavors.get(name);
  }

  /** Stores the answer to a write, so that it is seen at once. */
  note(object: KubeObject): void {
    const workload = readWorkload(withoutManagedFields(object));
    if (workload !== undefined) this.#installed?.workloads.note(workload);
  }

  /** The Workload was deleted. */
  forget(workload: Workload): void {
    this.#installed?.workloads.forget(workload);
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#cancel();
    await Promise.all([this.#installed?.workloads.stop(), this.#installed?.flavors.stop()]);
  }

  async #begin(): Promise<void> {
    const { clock, log } = this.#options;
    let types: KueueTypes | undefined;
    try {
      types = await this.#types();
      if (types === undefined) log.warn("Kueue is not installed in this cluster", { hint: "it is checked again" });
    } catch (error) {
      log.warn("it cannot be found out whether Kueue is installed", { error: String(error) });
    }
    if (this.#isStopped) return;
    if (types === undefined) {
      this.#cancel = clock.after(AGAIN_MS, () => void this.#begin());
      return;
    }
    this.#installed = this.#watch(types);
    for (const begin of this.#listeners) begin(this.#installed);
    this.#listeners.clear();
  }

  async #types(): Promise<KueueTypes | undefined> {
    const { client } = this.#options;
    for (const version of VERSIONS) {
      const apiVersion = `kueue.x-k8s.io/${version}`;
      try {
        const [workloads, flavors] = await Promise.all([
          client.resourceFor(apiVersion, "Workload"),
          client.resourceFor(apiVersion, "ResourceFlavor"),
        ]);
        return { workloads: workloads as ResourceType<KubeObject>, flavors: flavors as ResourceType<KubeObject> };
      } catch (error) {
        if (!isNotFound(error)) throw error;
      }
    }
    return undefined;
  }

  #watch(types: KueueTypes): Installed {
    const { client, clock, random, namespaces } = this.#options;
    const onError = (error: KubeError, _namespace: string | undefined, isRefusedAgain: boolean): void =>
      this.#failed(error, isRefusedAgain);
    const workloads = startCache<KubeObject, Workload, "driver">(client, types.workloads, {
      ...{ clock, random, namespaces, onError },
      labelSelector: DRIVER_UID_LABEL,
      keep: (object) => readWorkload(withoutManagedFields(object)),
      identityOf: ({ object }) => object.metadata,
      indexes: { driver: ({ driver }) => [driver.uid] },
    });
    const flavors = startCache<KubeObject, KubeObject>(client, types.flavors, {
      ...{ clock, random, onError },
      keep: withoutManagedFields,
      identityOf: objectIdentity,
    });
    const listed = (): void => this.#listed();
    workloads.subscribe({ listed });
    flavors.subscribe({ listed });
    for (const { synced } of [workloads, flavors]) synced.catch(() => undefined);
    return { types, workloads, flavors };
  }

  #listed(): void {
    this.#refusal = undefined;
    if (this.missing === undefined) for (const tell of this.#usable) tell();
  }

  #failed(error: KubeError, isRefusedAgain: boolean): void {
    if (error.kind !== "status" || error.status !== 403) return;
    this.#refusal = `the gateway may not see Kueue's objects (${error.message})`;
    if (isRefusedAgain) return;
    this.#options.log.error("the gateway may not see Kueue's objects", {
      error: error.message,
      hint: "let the gateway's account list and watch workloads and resourceflavors of kueue.x-k8s.io",
    });
  }
}

function orderOf(workload: Workload): number {
  return workload.part === "core" ? -1 : workloadNumber(workload);
}
