import type { KubeObject } from "@kindling/kube-objects";
import type { EventRecorder, Term } from "@kindling/controller";
import type { Clock } from "@kindling/outside";
import { DEFAULT_POLICY_SETTINGS, planAdmission, refusedGrowth } from "@kindling/admission";
import type { Application } from "../views/applications/application.ts";
import type { Entry } from "../views/entry.ts";
import type { Applications } from "../views/applications/applications.ts";
import type { GatewayConfig } from "../config/gateway-keys.ts";
import { Demands } from "./demand/demands.ts";
import { MayLeave } from "./demand/may-leave.ts";
import type { NodeEnds } from "./demand/node-ends.ts";
import type { Namespaces } from "./demand/namespaces.ts";
import { Promises } from "./demand/promises.ts";
import type { ClusterRoom } from "./demand/cluster-room.ts";
import type { AuditLog, Log } from "@kindling/service";
import { decisionCounts } from "../console/metrics/decision-counts.ts";
import type { Metrics } from "../console/metrics/metrics.ts";
import type { Queues } from "../config/queues/queues-file.ts";
import { podSubject } from "../spark/spark-pod.ts";
import type { PendingPods } from "../views/sets/pending-pods.ts";
import type { ClusterWatch } from "../cluster/cluster-watch.ts";
import { Dispatcher, type DispatcherOptions, type Policy } from "./dispatcher.ts";
import { DriverGates } from "./driver-gates.ts";
import { Farewell } from "./farewell.ts";
import { GaveWay } from "./gave-way.ts";
import type { LetGo } from "../cluster/let-go.ts";
import { kueueUseOf } from "../config/kueue-use.ts";
import { WaitNotes } from "./wait-notes.ts";

export interface AssembleAdmissionOptions {
  readonly config: GatewayConfig;
  readonly events: EventRecorder;
  readonly letGo: LetGo;
  readonly clock: Clock;
  readonly log: Log;
  readonly auditLog: AuditLog;
  readonly cluster: ClusterWatch;
  readonly applications: Applications;
  /** Creates an executor that was admitted. */
  readonly make: (application: Application, entry: Entry) => void;
  /** Scales the sets of an application after more of its executors were admitted. */
  readonly scale: (application: Application) => void;
  readonly pendingPods: PendingPods;
  /** Whether the gateway has listed the sets. */
  readonly areSetsKnown: () => boolean;
  readonly clusterRoom: ClusterRoom;
  readonly nodeEnds: NodeEnds;
  readonly queues: Queues;
  readonly namespaces: Namespaces;
  readonly metrics: Metrics;
  /** Called when anything has changed that decisions may depend on. */
  readonly onChanged: () => void;
  /** Why applications wait that Kueue decides on, by the uid of the driver. */
  readonly waitsElsewhere: ReadonlyMap<string, readonly string[]>;
  /** Told everything that waits, after each plan. */
  readonly onPlanned: DispatcherOptions["onPlanned"];
  /** Prepares what a driver needs before it starts. Must not fail. */
  readonly beforeStart: (driver: KubeObject) => Promise<void>;
  /** Undefined: `planAdmission`. */
  readonly policy: Policy | undefined;
}

/** A decision that could not be carried out is made again after this time. */
const AGAIN_MS = 10_000;

/** Builds the part that decides on drivers and executors. */
export function assembleAdmission(term: Term, options: AssembleAdmissionOptions): Dispatcher {
  const { client } = term;
  const {
    config,
    clock,
    events,
    log,
    auditLog,
    cluster,
    applications,
    make,
    scale,
    queues,
    metrics,
    clusterRoom,
    nodeEnds,
  } = options;
  const { namespaces, pendingPods, areSetsKnown } = options;
  const onChange = (): void => dispatcher.changed();
  const mayLeave = new MayLeave({ client, onChange });
  const demands = new Demands({
    ...{ clock, cluster, applications, clusterRoom, nodeEnds, queues, namespaces, mayLeave },
    promises: new Promises({ clock, seconds: config["queues.promise"], onDue: onChange }),
    mostExecutors: config["executors.perApplication"],
    kueue: kueueUseOf(config),
  });
  const later = (undo: (uid: string) => void) => (pod: KubeObject) => {
    clock.after(AGAIN_MS, () => {
      undo(pod.metadata.uid);
      onChange();
    });
  };
  const settings = { ...DEFAULT_POLICY_SETTINGS, preemption: config["queues.preemption"] };
  const graceSeconds = config["queues.preemptionGrace"];
  const dispatcher: Dispatcher = new Dispatcher(term, {
    ...{ clock, log, cluster, applications, demands, graceSeconds },
    policy: options.policy ?? ((snapshot) => planAdmission(snapshot, settings)),
    growthPolicy: (snapshot, growth) => refusedGrowth(snapshot, settings, growth),
    gates: new DriverGates({
      ...{ client, clock, log, auditLog, before: options.beforeStart },
      onFailure: later((uid) => demands.noteStart(uid, false)),
    }),
    farewell: new Farewell({
      ...{ client, events, log, auditLog, graceSeconds, letGo: options.letGo },
      onAsked: () => metrics.askedToLeave.inc(),
      onFailure: later((uid) => demands.noteLeaving(uid, false)),
    }),
    notes: new WaitNotes({
      ...{ clock, applications, pendingPods, events },
      gatedDriver: (uid) => demands.gatedDriver(uid),
    }),
    gaveWay: new GaveWay({
      clock,
      tell: (driver, message) =>
        events.tell(podSubject(driver), { type: "Normal", reason: "ExecutorsPreempted", name: "gave-way", message }),
      driver: (uid) => demands.driver(uid),
      onLater: onChange,
    }),
    make,
    scale,
    ...{ waitsElsewhere: options.waitsElsewhere, onChanged: options.onChanged, onPlanned: options.onPlanned },
    missing: () => (cluster.isSynced && areSetsKnown() ? clusterRoom.missing : "the cluster has not been listed yet"),
    onDecisions(decisions, { applications: all }) {
      for (const { count, ...labels } of decisionCounts(decisions, all)) metrics.decisions.inc(labels, count);
    },
    onPlan(seconds) {
      if (seconds === "failed") metrics.planFailures.inc();
      else metrics.planned.observe(seconds);
    },
  });
  applications.subscribe({ changed: onChange, setsChanged: onChange });
  return dispatcher;
}
