import type { KubeObject } from "@kindling/kube-objects";
import { ApiError } from "@kindling/api-server";
import { againAfter, done, type ReconcileResult, type RunningController, type Term } from "@kindling/controller";
import { messageOf } from "@kindling/core-spec";
import type { Clock } from "@kindling/outside";
import {
  type AdmissionPlan,
  type ApplicationDemand,
  type Decision,
  type Growth,
  type GrowthRefusal,
  type PolicySnapshot,
  type Wait,
} from "@kindling/admission";
import type { Application } from "../views/applications/application.ts";
import type { Applications } from "../views/applications/applications.ts";
import type { Demands, Situation } from "./demand/demands.ts";
import type { ResizeInProgress } from "./demand/resizes.ts";
import type { Log } from "@kindling/service";
import type { Overview } from "@kindling/gateway-client";
import { overviewOf } from "../console/overview/overview-of.ts";
import type { ClusterWatch } from "../cluster/cluster-watch.ts";
import type { Entry } from "../views/entry.ts";
import { admitExecutor } from "./admit-executor.ts";
import type { DriverGates } from "./driver-gates.ts";
import type { Farewell } from "./farewell.ts";
import type { GaveWay } from "./gave-way.ts";
import { textAt } from "../json/fields.ts";
import { farewellWords } from "./gave-way-words.ts";
import { growthWords } from "./growth-words.ts";
import { withKeeperGrace } from "./keeper-grace.ts";
import { PlanPace } from "./plan-pace.ts";
import { preferringNode } from "./preferred-node.ts";
import { driverProtection, protectedExecutor, protectionOf } from "./protection.ts";
import { ResizePace } from "./resize-pace.ts";
import { withCapacityType } from "./spot/capacity-type.ts";
import { waitWords } from "./wait-words.ts";
import type { WaitNotes } from "./wait-notes.ts";

/** Decides who gets what. A pure function of the snapshot. */
export type Policy = (snapshot: PolicySnapshot) => AdmissionPlan;

/** Decides whether an executor may have more resources. A pure function as well. */
export type GrowthPolicy = (snapshot: PolicySnapshot, growth: Growth) => GrowthRefusal | undefined;

export interface DispatcherOptions {
  readonly clock: Clock;
  readonly log: Log;
  readonly policy: Policy;
  readonly growthPolicy: GrowthPolicy;
  readonly cluster: ClusterWatch;
  readonly applications: Applications;
  readonly demands: Demands;
  readonly gates: DriverGates;
  readonly farewell: Farewell;
  /** How long an executor that can move its blocks may take to leave, in seconds. */
  readonly graceSeconds: number;
  readonly gaveWay: GaveWay;
  readonly notes: WaitNotes;
  /** Called whenever `changed` is. */
  readonly onChanged: () => void;
  /** Why applications wait that are decided on elsewhere, by the uid of the driver. */
  readonly waitsElsewhere: ReadonlyMap<string, readonly string[]>;
  /** Creates an executor that was admitted. */
  readonly make: (application: Application, entry: Entry) => void;
  /** Scales the sets of an application after more of its executors were admitted. */
  readonly scale: (application: Application) => void;
  /** Why no plan can be made yet; undefined if one can. */
  readonly missing: () => string | undefined;
  /** Told how long a plan took, in seconds, or that it failed. */
  readonly onPlan: (seconds: number | "failed") => void;
  readonly onDecisions: (decisions: readonly Decision[], snapshot: PolicySnapshot) => void;
  /** Told everything that waits, after each plan. */
  readonly onPlanned: (waits: readonly Wait[]) => void;
}

type Of<K extends Decision["kind"]> = Decision & { readonly kind: K };

/** A decision that takes an executor away. */
type Taking = Of<"decommission" | "delete">;

const NOTHING_WAITS = { waits: false };
/** The only key: everything is decided together. */
const PLAN = "plan";
/** How often plans are made while something waits. */
const AGAIN_MS = 30_000;

/** Collects the facts, lets the policy decide, and carries out its decisions. */
export class Dispatcher {
  readonly #options: DispatcherOptions;
  readonly #running: RunningController;
  readonly #planPace: PlanPace;
  /** Whether something has changed since the last plan. */
  #isDue = false;
  readonly #pace: ResizePace;
  #waits: ReadonlyMap<string, readonly string[]> = new Map();

  constructor(term: Term, options: DispatcherOptions) {
    this.#options = options;
    this.#pace = new ResizePace(options.clock);
    this.#planPace = new PlanPace(options.clock);
    term.onEnd(() => options.demands.stop());
    this.#running = term.run({ name: "admission", watches: [], workers: 1, reconcile: () => this.#reconcile() });
  }

  /** Called whenever something changes that the policy uses. */
  changed(): void {
    this.#options.onChanged();
    if (this.#isDue) return;
    this.#isDue = true;
    this.#running.add(PLAN);
  }

  /** How many executors wait for their admission. */
  get waiting(): number {
    let count = 0;
    for (const application of this.#options.applications.all()) count += application.waitingExecutors;
    return count;
  }

  /** What is known of applications and their executors, for controllers. */
  get facts(): Demands {
    return this.#options.demands;
  }

  /** The current state: queues, capacity, and which applications wait. */
  overview(): Overview {
    return overviewOf({ ...this.#options.demands.situation(), waits: this.#withElsewhere(this.#waits) });
  }

  /**
   * Counts an executor with its new resources, if it may have them. `pod` is the executor after the resize, with the uid that
   * it has in the cluster. The caller tells the result how the resize ended. If the executor may not have them, the result is
   * a text that says why.
   *
   * @throws ApiError 429 if it is asked too often
   */
  resize(application: string, pod: KubeObject): string | ResizeInProgress {
    const { demands, growthPolicy, missing } = this.#options;
    const { name, uid } = pod.metadata;
    const driver = demands.driver(application);
    if (driver !== undefined && demands.localQueueOf(driver) !== undefined) return "Kueue has admitted it as it is";
    const { resizes } = demands;
    if (resizes.isUnderWay(uid)) return "another resize of it is under way";
    if (missing() !== undefined) return "the cluster has not been listed yet";
    const growth = { application, executor: name, pod: resizes.shapeOf(pod) };
    const decided = this.#pace.paced(application, () => {
      const refusal = growthPolicy(demands.situation().snapshot, growth);
      return refusal === undefined ? resizes.begin(pod) : growthWords(refusal);
    });
    if (decided !== undefined) return decided;
    throw new ApiError(429, "TooManyRequests", "resizes are asked for too often", { retryAfterSeconds: 1 });
  }

  async #reconcile(): Promise<ReconcileResult> {
    // One plan for all changes that come in one turn of the event loop.
    await new Promise((resolve) => setImmediate(resolve));
    const { waitMs } = this.#planPace;
    if (waitMs > 0) return againAfter(waitMs);
    this.#isDue = false;
    const { waits } = this.#planPace.run(() => this.#plan());
    // Some waits end just because time passes.
    return waits ? againAfter(AGAIN_MS) : done;
  }

  #plan(): { readonly waits: boolean } {
    const { clock, log, policy, demands, onPlan, onDecisions, missing } = this.#options;
    if (missing() !== undefined) return NOTHING_WAITS;
    if (!this.#hasWishes()) {
      this.#options.onPlanned([]);
      this.#tell(new Map());
      const { gaveWay } = this.#options;
      if (!gaveWay.isEmpty) gaveWay.words(demands.situation().snapshot.applications, () => 0);
      return NOTHING_WAITS;
    }
    const situation = demands.situation();
    const began = clock.monotonic();
    let plan: AdmissionPlan;
    try {
      plan = policy(situation.snapshot);
    } catch (error) {
      onPlan("failed");
      log.error("the policy failed, and nothing is admitted", { error: messageOf(error) });
      return { waits: true };
    }
    onPlan((clock.monotonic() - began) / 1000);
    if (demands.isLearning) plan = { ...plan, decisions: withoutDeletions(plan.decisions) };
    onDecisions(plan.decisions, situation.snapshot);
    this.#options.onPlanned(plan.waits);
    for (const decision of plan.decisions) this.#carryOut(decision, situation);
    this.#tell(this.#wordsOf(plan, situation));
    return { waits: plan.waits.length > 0 };
  }

  /** Whether there is anything to decide. Usually there is nothing, and then no snapshot is made. */
  #hasWishes(): boolean {
    const { applications, demands } = this.#options;
    const isOurs = ({ driver }: Application): boolean => demands.localQueueOf(driver) === undefined;
    for (const one of applications.all()) if (one.waitingExecutors > 0 && isOurs(one)) return true;
    return demands.hasGated();
  }

  #carryOut(decision: Decision, { snapshot }: Situation): void {
    switch (decision.kind) {
      case "start":
        return this.#start(decision, snapshot);
      case "admit":
        return this.#admit(decision, snapshot);
      case "decommission":
      case "delete":
        return this.#takeAway(decision, snapshot.applications);
    }
  }

  #start({ application: uid, node }: Of<"start">, snapshot: PolicySnapshot): void {
    const { demands, gates } = this.#options;
    const driver = demands.driver(uid);
    if (driver === undefined) return;
    demands.noteStart(uid);
    const rule = protectionOf(uid, snapshot);
    const annotations = rule === undefined ? {} : driverProtection(driver, rule);
    void gates.open(demands.forItsNode(driver), node, { annotations });
  }

  #admit({ application: uid, executor: name, node }: Of<"admit">, snapshot: PolicySnapshot): void {
    const { applications, demands, make, scale } = this.#options;
    const application = applications.get(uid);
    if (application === undefined) return;
    const prepare = (asked: KubeObject): KubeObject => {
      const type = demands.capacityTypes.of(uid, name);
      const request = this.#prepared(uid, type === undefined ? asked : withCapacityType(asked, type), snapshot);
      return node === undefined ? request : preferringNode(request, node);
    };
    admitExecutor(application, name, { prepare, make, scale });
  }

  /** The executor with what it needs where an autoscaler takes nodes away, and where it can end without its pod. */
  #prepared(uid: string, request: KubeObject, snapshot: PolicySnapshot): KubeObject {
    const { graceSeconds } = this.#options;
    const rule = protectionOf(uid, snapshot);
    const timed = withKeeperGrace(request, graceSeconds);
    return rule === undefined ? timed : protectedExecutor(timed, rule, graceSeconds);
  }

  #takeAway(
    { kind: way, application, executor, inFavourOf, reason }: Taking,
    applications: readonly ApplicationDemand[],
  ): void {
    const { cluster, demands, farewell, gaveWay } = this.#options;
    const demandOf = (wanted: string): ApplicationDemand | undefined => applications.find(({ id }) => id === wanted);
    const pod = cluster.pod(demandOf(application)?.namespace ?? "", executor);
    if (pod === undefined) return;
    demands.noteLeaving(pod.metadata.uid);
    const name = demands.driver(inFavourOf)?.metadata.name ?? inFavourOf;
    const to = { name, queue: demandOf(inFavourOf)?.queue ?? "", reason };
    gaveWay.note(application, to);
    const hasBegun = textAt(pod, "status", "phase") === "Running";
    void farewell.ask(pod, { reason: "Preempted", message: farewellWords(to, way, hasBegun) });
  }

  /** Why applications wait; and, for applications that lack executors because they gave way, to which applications. */
  #wordsOf({ decisions, waits }: AdmissionPlan, { snapshot, names, queueFaults }: Situation): Map<string, string[]> {
    const nameOf = (application: string): string => names.get(application)?.name ?? application;
    const taken = decisions.filter(isTaking);
    const takenOf = (wanted: string): number => taken.filter(({ application }) => application === wanted).length;
    const words = new Map(
      waits.map((wait) => {
        const isLost = wait.reason.kind === "no-queue" || wait.reason.kind === "not-allowed";
        return [wait.application, [waitWords(wait, nameOf), ...(isLost ? queueFaults : [])]];
      }),
    );
    for (const [application, text] of this.#options.gaveWay.words(snapshot.applications, takenOf))
      words.set(application, [...(words.get(application) ?? []), text]);
    return words;
  }

  #withElsewhere(decided: ReadonlyMap<string, readonly string[]>): ReadonlyMap<string, readonly string[]> {
    return new Map([...decided, ...this.#options.waitsElsewhere]);
  }

  #tell(decided: ReadonlyMap<string, readonly string[]>): void {
    const words = this.#withElsewhere(decided);
    this.#waits = decided;
    this.#options.notes.tell(new Map([...words].map(([id, sentences]) => [id, sentences.join("; ")])));
  }
}

/**
 * As long as it may turn out that some executors can leave without loss, no executors are deleted, and those for which they
 * would be deleted wait.
 */
function withoutDeletions(decisions: readonly Decision[]): readonly Decision[] {
  const served = new Set(decisions.flatMap((one) => (one.kind === "delete" ? [one.inFavourOf] : [])));
  return decisions.filter((one) => !isTaking(one) || !served.has(one.inFavourOf));
}

function isTaking(decision: Decision): decision is Taking {
  return decision.kind === "decommission" || decision.kind === "delete";
}
