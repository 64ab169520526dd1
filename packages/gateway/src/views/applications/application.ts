import type { KubeObject } from "@kindling/kube-objects";
import type { Api, ResourceType } from "@kindling/api-server";
import type { Outside } from "@kindling/outside";
import { ageHistory, CLAIMS, CONFIG_MAPS, createView, PODS } from "../driver-resources.ts";
import { ApplicationMemory } from "../memory/application-memory.ts";
import type { KeptMemory } from "../memory/kept-memory.ts";
import { Readers } from "../memory/readers.ts";
import type { Entry } from "../entry.ts";
import { Mirror } from "../mirror.ts";
import { applicationIdOf, isExecutor, isOwnedBy, type PodRef, setMarkOf } from "../../spark/spark-pod.ts";
import { ExecutorSets } from "./executor-sets.ts";

/** What applications are made of beside their drivers. */
export interface ApplicationContext extends Pick<Outside, "clock" | "random"> {
  /** That of all applications. */
  readonly memory: KeptMemory;
}

/**
 * A driver with what it has asked for: a store of its own, which is all that the driver sees. A driver pod that is made
 * anew under the same name is another application, also if it goes on with the same id.
 */
export class Application {
  /** What `spark-app-selector` says on all of its objects. */
  readonly id: string;
  readonly namespace: string;
  readonly driverName: string;
  readonly driverUid: string;
  readonly view: Api;
  /** The driver pod and its executors. */
  readonly pods: Mirror;
  readonly claims: Mirror;
  /** Those that the driver has made since the gateway knows it. */
  readonly configMaps: Mirror;
  readonly sets: ExecutorSets = new ExecutorSets();
  /** What its objects take. */
  readonly memory: ApplicationMemory;
  /** Lists that are being sent, and watches. */
  readonly lists: Readers;
  readonly watchers: Readers;
  /** How many executors it was refused because it may never have such ones. */
  refusals = 0;
  /** When the driver asked for anything first, on the clock that only goes forward, in milliseconds: its SparkContext was there then. */
  talkedAt: number | undefined;
  /** How many watches the driver has open. */
  watches = 0;
  readonly #stopAging: () => void;
  #driver: KubeObject;
  #isOver = false;
  /** Executors that have asked to be admitted; those that do not wait any more leave when they are counted. */
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
    const mirror = (type: ResourceType): Mirror =>
      new Mirror(this.view, type, namespace, (name, bytes) => this.memory.seen(`${type.plural}/${name}`, bytes));
    this.pods = mirror(PODS);
    this.claims = mirror(CLAIMS);
    this.configMaps = mirror(CONFIG_MAPS);
    this.#driver = driver;
    this.pods.seen(driver);
  }

  /** The driver pod as it was seen last. */
  get driver(): KubeObject {
    return this.#driver;
  }

  /** The driver pod, as what it owns names it. */
  get driverRef(): PodRef {
    return { name: this.driverName, uid: this.driverUid };
  }

  /** Whether the driver is gone, and nothing may be made for it any more. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** How many executors the driver has asked for, those that wait and those that sets are still to make included. */
  get executors(): number {
    return this.pods.size - 1 - this.pods.unasked().length + this.sets.outstanding(() => this.#executorPods());
  }

  /** The same, beside those of one set. */
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

  /** An executor is to be made, in this form. */
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

  /** All executors that are not in the cluster yet, or not as far as anybody knows. */
  *virtualExecutors(): Generator<Entry> {
    for (const entry of this.pods.entries()) if (entry.state.kind !== "real") yield entry;
  }

  /** Takes an executor that is not in the cluster out of the view, with the claims that would have gone with it. */
  drop(executor: Entry): void {
    for (const claim of [...this.claims.entries()]) {
      const { state } = claim;
      const isHeld = state.kind === "waiting" || state.kind === "creating";
      if (isHeld && isOwnedBy(state.request, executor)) this.claims.remove(claim);
    }
    this.pods.remove(executor);
  }

  /** The driver is gone: what waits is given up. What is in the cluster goes with its owner. */
  end(): void {
    this.#isOver = true;
    for (const mirror of [this.pods, this.claims]) {
      for (const entry of [...mirror.entries()]) mirror.remove(entry);
    }
    this.memory.close();
    this.stop();
  }

  /** Nothing is served to the driver any more, which may go on. */
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
