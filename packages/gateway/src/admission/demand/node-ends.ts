import type { KubeObject } from "@kindling/kube-objects";
import type { Clock } from "@kindling/outside";
import { type ExecutorEnd, nodeBackoffs, type NodeBackoffSettings } from "@kindling/admission";
import { objectAt, objectsAt, textAt } from "../../json/fields.ts";
import { driversOf } from "../../spark/spark-pod.ts";

/**
 * If three executors are killed on a node, and none ends well in between, the node gets no more executors for a minute. The
 * next times it is two minutes, four, and so on, up to half an hour. If an application's executors die on three nodes, the
 * application is taken for the cause.
 */
const SETTINGS: NodeBackoffSettings = {
  threshold: 3,
  firstMs: 60_000,
  longestMs: 1_800_000,
  forgetMs: 3_600_000,
  applicationNodes: 3,
};

/** The highest number of remembered ends; the oldest are dropped. */
const MOST_ENDS = 2_000;

/** What the kubelet or a controller says about a pod that its node could not keep (Kubernetes: `status.reason` of a pod). */
const BY_NODE = /^(Evicted|NodeLost|NodeShutdown|Shutdown|Terminated|UnexpectedAdmissionError|OutOf.*)$/;
/** What the kubelet says about a container that its node could not start or has lost. */
const BY_RUNTIME: ReadonlySet<string | undefined> = new Set([
  "ContainerStatusUnknown",
  "ContainerCannotRun",
  "StartError",
]);
const SIGKILL = 137;

/**
 * How executors ended on their nodes: a node that kills executors gets no more for a while. A new gateway begins with
 * nothing.
 */
export class NodeEnds {
  readonly #clock: Pick<Clock, "now">;
  readonly #ends: ExecutorEnd[] = [];
  #backoffs: ReadonlyMap<string, number> = new Map();
  #isStale = false;

  constructor(clock: Pick<Clock, "now">) {
    this.#clock = clock;
  }

  /** An executor has ended, or was deleted while it was running. */
  add(pod: KubeObject): void {
    const node = textAt(pod, "spec", "nodeName");
    const [application] = driversOf(pod);
    if (node === undefined || application === undefined) return;
    this.#ends.push({ application, node, at: this.#clock.now(), killed: wasKilledByNode(pod) });
    if (this.#ends.length > MOST_ENDS) this.#ends.shift();
    this.#isStale = true;
  }

  /** Which nodes get no new executors, and until when, in milliseconds since the epoch. */
  backoffs(): ReadonlyMap<string, number> {
    const now = this.#clock.now();
    if (this.#isStale) this.#backoffs = nodeBackoffs(this.#ends, SETTINGS, now);
    this.#isStale = false;
    if (![...this.#backoffs.values()].some((until) => until <= now)) return this.#backoffs;
    this.#backoffs = new Map([...this.#backoffs].filter(([, until]) => until > now));
    return this.#backoffs;
  }
}

/**
 * Whether a pod ended because of its node: not by itself, not because it used more memory than it asked for, and not because
 * somebody deleted it.
 */
function wasKilledByNode(pod: KubeObject): boolean {
  if (pod.metadata.deletionTimestamp !== undefined || textAt(pod, "status", "phase") !== "Failed") return false;
  if (BY_NODE.test(textAt(pod, "status", "reason") ?? "")) return true;
  return objectsAt(pod, "status", "containerStatuses").some((status) => {
    const ended = objectAt(status, "state", "terminated");
    const reason = textAt(ended, "reason");
    return BY_RUNTIME.has(reason) || (ended?.["exitCode"] === SIGKILL && reason !== "OOMKilled");
  });
}
