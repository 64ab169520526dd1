import type { KubeObject } from "@kindling/kube-objects";
import type { Api, ResourceType } from "@kindling/api-server";
import type { Outside } from "@kindling/outside";
import { ageHistory, CLAIMS, CONFIG_MAPS, createView, PODS } from "../driver-resources.ts";
import { ApplicationMemory } from "../memory/application-memory.ts";
import type { KeptMemory } from "../memory/kept-memory.ts";
import { Readers } from "../memory/readers.ts";
import type { Entry } from "../entry.ts";
import { Mirror } from "../mirror.ts";
import { executorAsSeen } from "../../spark/keeper.ts";
import { applicationIdOf, isExecutor, isOwnedBy, type PodRef, setMarkOf } from "../../spark/spark-pod.ts";
import { ExecutorSets } from "./executor-sets.ts";

/** What applications need besides their drivers. */
export interface ApplicationContext extends Pick<Outside, "clock" | "random"> {
  /** The memory that all applications share. */
  readonly memory: KeptMemory;
}

/**
 * A driver and what it has asked for, in a store of its own; the driver sees only this store. A driver pod that is created
 * again under the same name is a new application, even if it continues with the same id.
 */
export class Application {
  /** The value of the label `spark-app-selector` on all of its objects. */
  readonly id: string;
  readonly namespace: string;
  readonly driverName: string;
  readonly driverUid: string;
  readonly view: Api;
  /** The driver pod and its executors. */
  readonly pods: Mirror;
  readonly claims: Mirror;
  /** The ConfigMaps that the driver has created since the gateway knows it. */
  readonly configMaps: Mirror;
  readonly sets: ExecutorSets = new ExecutorSets();
  /** The memory that its objects take. */
  readonly memory: ApplicationMemory;
  /** Lists that are being sent, and watches. */
  readonly lists: Readers;
  readonly watchers: Readers;
  /** How many requests for executors were refused because it may never have such executors. */
  refusals = 0;
  /** When the driver sent its first request, in milliseconds by the monotonic clock: its SparkContext existed then. */
  talkedAt: number | undefined;
  /** How many watches the driver has open. */
  watches = 0;
  readonly #stopAging: () => void;
  #driver: KubeObject;
  #isOver = false;
  /** Executors that wait for admission; those that do not wait any more are removed when they are counted. */
  readonly #waiting = new Set<Entry>();

  constructor(driver: KubeObject, { memory, ...outside }: ApplicationContext) {
    const { name, namespace = "", uid } = driver.metadata;
    this.id = applicationIdOf(driver) ?? "";
    this.namespace = namespace;
    this.driverName = name;
    this.driverUid = uid;
    this.memory = new ApplicationMemory(memory, (key) => this.#isKept(key));
    this.lists = new Readers(this.memory);
    this.watchers = new Readers(this.memory);
    this.view = createView(outside, this.memory);
    this.#stopAging = ageHistory(this.view, outside);
    const mirror = (type: ResourceType, shownAs?: (object: KubeObject) => KubeObject): Mirror => {
      const onSize = (name: string, bytes: number | undefined): void =>
        this.memory.seen(`${type.plural}/${name}`, bytes);
      return new Mirror(this.view, type, namespace, onSize, shownAs);
    };
    this.pods = mirror(PODS, executorAsSeen);
    this.claims = mirror(CLAIMS);
    this.configMaps = mirror(CONFIG_MAPS);
    this.#driver = driver;
    this.pods.seen(driver);
  }

  /** The driver pod as last seen. */
  get driver(): KubeObject {
    return this.#driver;
  }

  /** The driver pod, as owner references name it. */
  get driverRef(): PodRef {
    return { name: this.driverName, uid: this.driverUid };
  }

  /** Whether the driver is gone, so that nothing may be created for it any more. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** How many executors the driver has asked for, including waiting ones and those that its sets have not created yet. */
  get executors(): number {
    return this.pods.size - 1 - this.pods.unasked().length + this.sets.outstanding(() => this.#executorPods());
  }

  /** The same, without those of one set. */
  executorsBeside(set: string): number {
    const others = this.#executorPods().filter((pod) => setMarkOf(pod) !== set);
    return others.length + this.sets.outstanding(() => others, set);
  }

  /** How many executors wait for their admission, those of sets included. */
  get waitingExecutors(): number {
    for (const entry of this.#waiting) if (entry.state.kind !== "waiting") this.#waiting.delete(entry);
    return this.#waiting.size + this.sets.waiting;
  }

  /** An executor waits for its admission from now on. */
  wait(entry: Entry): void {
    this.#waiting.add(entry);
  }

  /** An executor is to be created from this request. */
  admit(entry: Entry, request: KubeObject): void {
    this.#waiting.delete(entry);
    entry.beginCreating(request);
  }

  driverSeen(driver: KubeObject): void {
    this.#driver = driver;
    this.pods.seen(driver);
  }

  /** An executor by its name. */
  executor(name: string): Entry | undefined {
    return name === this.driverName ? undefined : this.pods.get(name);
  }

  /** All executors that are not in the cluster yet, as far as the gateway knows. */
  *virtualExecutors(): Generator<Entry> {
    for (const entry of this.pods.entries()) if (entry.state.kind !== "real") yield entry;
  }

  /** Removes an executor that is not in the cluster from the view, with the claims that would have been deleted with it. */
  drop(executor: Entry): void {
    for (const claim of [...this.claims.entries()]) {
      const { state } = claim;
      const isHeld = state.kind === "waiting" || state.kind === "creating";
      if (isHeld && isOwnedBy(state.request, executor)) this.claims.remove(claim);
    }
    this.pods.remove(executor);
  }

  /** The driver is gone: waiting objects are given up. Objects in the cluster are deleted with their owner. */
  end(): void {
    this.#isOver = true;
    for (const mirror of [this.pods, this.claims]) {
      for (const entry of [...mirror.entries()]) mirror.remove(entry);
    }
    this.memory.close();
    this.stop();
  }

  /** The driver is no longer served here, but may still be running. */
  stop(): void {
    this.#stopAging();
  }

  #isKept(key: string): boolean {
    const [plural = "", name = ""] = key.split("/");
    const mirror = [this.pods, this.claims, this.configMaps].find(({ type }) => type.plural === plural);
    return mirror?.get(name) !== undefined;
  }

  #executorPods(): KubeObject[] {
    return [...this.pods.entries()].flatMap((entry) => this.pods.current(entry) ?? []).filter(isExecutor);
  }
}
