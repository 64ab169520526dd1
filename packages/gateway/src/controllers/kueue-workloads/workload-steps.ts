import type { EventRecorder } from "@kindling/controller";
import type { KubeObject } from "@kindling/kube-objects";
import type { KubeClient } from "@kindling/kube";
import type { AuditLog, Log } from "@kindling/service";
import { admitExecutor } from "../../admission/admit-executor.ts";
import type { Demands } from "../../admission/demand/demands.ts";
import type { RequestedExecutor } from "../../admission/demand/application-demand.ts";
import type { DriverGates } from "../../admission/driver-gates.ts";
import type { Farewell } from "../../admission/farewell.ts";
import { assignedNodes, assignedPod, assignedSpec } from "../../admission/kueue/assigned-pod.ts";
import { executorSpecOf, type KueueScene } from "../../admission/kueue/kueue-application.ts";
import type { KueueWatch } from "../../admission/kueue/kueue-watch.ts";
import { isManagedByKueue } from "../../admission/kueue/local-queue.ts";
import { flavorsKey, type WorkloadStep } from "../../admission/kueue/plan-workloads.ts";
import type { Workload } from "../../admission/kueue/workload.ts";
import { workloadNumber } from "../../admission/kueue/workload-object.ts";
import { objectAt } from "../../json/fields.ts";
import { timeOf } from "../../json/time-of.ts";
import { driverPhase } from "../../spark/driver-phase.ts";
import { applicationIdOf, podSubject } from "../../spark/spark-pod.ts";
import type { Application } from "../../views/applications/application.ts";
import type { Applications } from "../../views/applications/applications.ts";
import type { Entry } from "../../views/entry.ts";
import { endDriver } from "./end-driver.ts";
import { priorityOf } from "./workload-priority.ts";
import type { WorkloadWrites, WriteOutcome } from "./workload-writes.ts";

export interface WorkloadStepsOptions {
  readonly client: KubeClient;
  readonly log: Log;
  readonly auditLog: AuditLog;
  readonly events: EventRecorder;
  readonly applications: Pick<Applications, "get">;
  readonly kueue: KueueWatch;
  readonly writes: WorkloadWrites;
  readonly demands: Pick<Demands, "noteLeaving" | "leaveOf">;
  readonly gates: Pick<DriverGates, "open">;
  readonly farewell: Pick<Farewell, "ask">;
  /** Creates an executor that was admitted. */
  readonly make: (application: Application, entry: Entry) => void;
  /** Scales the sets of an application after more of its executors were admitted. */
  readonly scale: (application: Application) => void;
}

/** `again`: it could not be done now, and the plan is made again. */
export type StepOutcome = "done" | "again";

type Of<K extends WorkloadStep["kind"]> = WorkloadStep & { readonly kind: K };

/** The reasons for which Kueue does not admit a Workload again; the second is that of releases before 0.10. */
const DEACTIVATED = /^(?:Deactivated|InactiveWorkload)/;

/** The lowest priority that Kubernetes knows. */
const LOWEST_PRIORITY = -2_147_483_648;

/** Carries out the steps of a plan. Each can be repeated by this gateway or another one. */
export class WorkloadSteps {
  readonly #options: WorkloadStepsOptions;

  constructor(options: WorkloadStepsOptions) {
    this.#options = options;
  }

  async carryOut(step: WorkloadStep, facts: KueueScene, localQueue: string): Promise<StepOutcome> {
    const { writes } = this.#options;
    switch (step.kind) {
      case "create":
        return outcomeOf(await this.#create(step, facts, localQueue));
      case "ask":
      case "keep":
        return outcomeOf(await writes[step.kind](step.workload, step.executors));
      case "delete":
      case "release":
      case "ready":
        return outcomeOf(await writes[step.kind](step.workload));
      case "finish":
        return outcomeOf(await writes.finish(step.workload, driverPhase(facts.driver) === "Succeeded"));
      case "start":
        return await this.#start(step, facts.driver);
      case "admit":
        return this.#admit(step, facts);
      case "leave":
        return await this.#leave(step, facts);
      case "end":
        return await this.#end(step, facts.driver);
    }
  }

  async #create(
    { part, profile, executors }: Of<"create">,
    facts: KueueScene,
    localQueue: string,
  ): Promise<WriteOutcome> {
    const { writes } = this.#options;
    const { driver, workloads } = facts;
    return await writes.create({
      ...{ driver, localQueue, part, profile, executors },
      hasDriver: !isManagedByKueue(driver),
      executorSpec: executorSpecOf(profile, facts),
      priority: await this.#priority(part, facts),
      number: Math.max(0, ...workloads.map(workloadNumber)) + 1,
    });
  }

  /** Surplus executors have a lower priority than any application of the same priority needs to begin. */
  async #priority(part: Workload["part"], { driver, workloads }: KueueScene): Promise<number> {
    const { client, kueue } = this.#options;
    const core = workloads.find((workload) => workload.part === "core");
    const known = objectAt(core?.object["spec"])["priority"];
    if (part === "surplus" && typeof known === "number") return Math.max(LOWEST_PRIORITY, known - 1);
    if (kueue.types === undefined) return 0;
    const own = await priorityOf(client, driver, kueue.types.workloads);
    return part === "core" ? own : Math.max(LOWEST_PRIORITY, own - 1);
  }

  async #start({ workload }: Of<"start">, driver: KubeObject): Promise<StepOutcome> {
    const { kueue, gates } = this.#options;
    if (workload?.state.kind !== "admitted") {
      await gates.open(driver, undefined);
      return "done";
    }
    const nodes = assignedNodes(workload.state.driverNodes, (name) => kueue.flavor(name));
    if (nodes === undefined) return "again";
    const { labels, annotations } = nodes;
    await gates.open(driver, undefined, { labels, annotations, spec: assignedSpec(objectAt(driver, "spec"), nodes) });
    return "done";
  }

  #admit({ workload, executors }: Of<"admit">, facts: KueueScene): StepOutcome {
    const { applications, kueue, make, scale } = this.#options;
    const application = applications.get(facts.driver.metadata.uid);
    if (application === undefined || workload.state.kind !== "admitted") return "done";
    const nodes = assignedNodes(workload.state.executorNodes, (name) => kueue.flavor(name));
    if (nodes === undefined) return "again";
    // Executors that an earlier step of the plan has admitted do not wait any more.
    const waiting = facts.profiles.get(workload.profile)?.waiting ?? [];
    const prepare = (asked: KubeObject): KubeObject => assignedPod(asked, nodes);
    let left = executors;
    for (const { name } of waiting) {
      if (left === 0) break;
      if (admitExecutor(application, name, { prepare, make, scale })) left -= 1;
    }
    return "done";
  }

  /** Those leave first that lose nothing by it, and among these the latest ones. */
  async #leave({ workload, executors }: Of<"leave">, facts: KueueScene): Promise<StepOutcome> {
    const { demands, farewell } = this.#options;
    const { state, profile } = workload;
    if (state.kind !== "evicted") return "done";
    const held = facts.profiles.get(profile)?.held.get(flavorsKey(state)) ?? [];
    const present = held.filter(({ kind, pod }) => kind === "present" && isStaying(pod) && !facts.isLeaving(pod));
    const [first] = present;
    if (first === undefined) return "done";
    const leave = demands.leaveOf(first.pod);
    // It is still being found out how they can leave.
    if (leave === "never") return "again";
    for (const { pod } of present.toSorted(latestFirst).slice(0, executors)) {
      demands.noteLeaving(pod.metadata.uid);
      const message = `asked to leave, because Kueue takes back its quota: ${state.message}`;
      await farewell.ask(pod, { reason: "Preempted", message });
    }
    return "done";
  }

  async #end({ workload: { state } }: Of<"end">, driver: KubeObject): Promise<StepOutcome> {
    const { client, events, log, auditLog } = this.#options;
    const { namespace, name } = driver.metadata;
    const { message, reason } = state.kind === "evicted" ? state : { message: "", reason: "" };
    const words = `Kueue has evicted the application: ${message}`;
    events.tell(podSubject(driver), { type: "Warning", reason: "EvictedByKueue", name: "evicted", message: words });
    const isGoing = await endDriver(driver, { client, isForGood: DEACTIVATED.test(reason) });
    if (isGoing) {
      log.info("a driver ends, because Kueue has evicted it", { namespace, name, reason: message });
      const object = { namespace, application: applicationIdOf(driver), resource: "pods", name };
      auditLog.write({ verb: "evict", decision: "allow", reason: words, object });
    }
    return isGoing ? "done" : "again";
  }
}

function outcomeOf(written: WriteOutcome): StepOutcome {
  return written === "written" ? "done" : "again";
}

function isStaying({ metadata: { deletionTimestamp } }: KubeObject): boolean {
  return deletionTimestamp === undefined;
}

function latestFirst({ pod: a }: RequestedExecutor, { pod: b }: RequestedExecutor): number {
  return (timeOf(b.metadata.creationTimestamp) ?? 0) - (timeOf(a.metadata.creationTimestamp) ?? 0);
}
