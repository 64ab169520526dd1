import type { EventRecorder, Term } from "@kindling/controller";
import type { KubeObject } from "@kindling/kube-objects";
import type { Outside } from "@kindling/outside";
import type { AuditLog, Log } from "@kindling/service";
import type { Demands } from "../../admission/demand/demands.ts";
import { DriverGates } from "../../admission/driver-gates.ts";
import { Farewell } from "../../admission/farewell.ts";
import type { KueueWatch } from "../../admission/kueue/kueue-watch.ts";
import type { ClusterWatch } from "../../cluster/cluster-watch.ts";
import type { GatewayConfig } from "../../config/gateway-keys.ts";
import type { Metrics } from "../../console/metrics/metrics.ts";
import type { Application } from "../../views/applications/application.ts";
import type { Applications } from "../../views/applications/applications.ts";
import type { Entry } from "../../views/entry.ts";
import type { LetGo } from "../../cluster/let-go.ts";
import { KueueWorkloads, type KueueWorkloadsOptions } from "./kueue-workloads.ts";
import { WorkloadSteps } from "./workload-steps.ts";
import { WorkloadWrites } from "./workload-writes.ts";

/** The parts that all replicas have. */
export interface KueueParts extends Pick<Outside, "clock"> {
  readonly config: GatewayConfig;
  readonly log: Log;
  readonly auditLog: AuditLog;
  readonly cluster: ClusterWatch;
  readonly metrics: Metrics;
  readonly kueue: KueueWatch | undefined;
}

export interface AssembleKueueOptions extends Pick<KueueWorkloadsOptions, "onWaits"> {
  readonly applications: Applications;
  readonly events: EventRecorder;
  readonly letGo: LetGo;
  readonly demands: Demands;
  readonly make: (application: Application, entry: Entry) => void;
  readonly scale: (application: Application) => void;
  /** Prepares what a driver needs before it starts. Must not fail. */
  readonly beforeStart: (driver: KubeObject) => Promise<void>;
}

/** Builds the part that asks Kueue; undefined if it is not used. */
export function assembleKueue(
  term: Term,
  { config, clock, log, auditLog, cluster, metrics, kueue }: KueueParts,
  { applications, events, letGo, demands, make, scale, beforeStart, onWaits }: AssembleKueueOptions,
): KueueWorkloads | undefined {
  if (kueue === undefined) return undefined;
  const { client } = term;
  const onFailure = (pod: KubeObject): void => workloads.tryAgain(pod);
  const steps = new WorkloadSteps({
    ...{ client, log, auditLog, events, applications, kueue, demands, make, scale },
    writes: new WorkloadWrites({ client, clock, kueue }),
    gates: new DriverGates({ client, clock, log, auditLog, before: beforeStart, onFailure }),
    farewell: new Farewell({
      ...{ client, events, log, auditLog, letGo, graceSeconds: config["queues.preemptionGrace"] },
      onAsked: () => metrics.askedToLeave.inc(),
      onFailure(executor) {
        demands.noteLeaving(executor.metadata.uid, false);
        onFailure(executor);
      },
    }),
  });
  const workloads = new KueueWorkloads(term, { clock, log, cluster, applications, kueue, demands, steps, onWaits });
  return workloads;
}
