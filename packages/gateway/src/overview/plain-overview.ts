import type { KubeObject } from "@kindling/api-server";
import { SCHEDULER_PRIORITY_ANNOTATION, SCHEDULER_QUEUE_LABEL } from "@kindling/core-spec";
import { NO_RESOURCES, podShape, sum, type Resources } from "@kindling/scheduler";
import type { PodSpec } from "kubernetes-types/core/v1.js";
import type { Application } from "../applications/application.ts";
import { objectAt, objectsAt, textAt } from "../json/fields.ts";
import { hasEnded } from "../spark/spark-pod.ts";
import type { ApplicationOverview, ExecutorCounts, Overview } from "./overview.ts";

/** What there is where nothing but the applications is known: no queues and no capacity. */
export function plainOverview(applications: Iterable<Application>, at: number): Overview {
  const shown = [...applications].map(applicationOverview).toSorted((a, b) => a.since - b.since);
  const used = sum(shown.map((application) => application.used));
  return {
    at,
    capacity: { kind: "unlimited", nodes: 0, total: NO_RESOURCES, used, usedByOthers: NO_RESOURCES },
    queues: [],
    applications: shown,
  };
}

function applicationOverview(application: Application): ApplicationOverview {
  const { id, namespace, driver, driverName, driverUid, pods } = application;
  const { labels = {}, annotations = {}, creationTimestamp } = driver.metadata;
  const counts = { waiting: 0, admitted: 0, pending: 0, running: 0, leaving: 0 };
  const used: Resources[] = [];
  const waits = new Map<string, number>();
  for (const { name, state } of pods.entries()) {
    const pod = pods.shown(name)?.object;
    if (pod === undefined || hasEnded(pod)) continue;
    if (state.kind === "real") used.push(podShape(objectAt(pod, "spec") as unknown as PodSpec).requests);
    if (name === driverName) continue;
    const kind = stateOf(state.kind, pod);
    if (kind !== undefined) counts[kind] += 1;
    const reason = objectsAt(pod, "status", "conditions").find(({ reason: code }) => WAITS.has(String(code)));
    if (state.kind !== "real" && reason !== undefined) {
      const message = String(reason["message"]);
      waits.set(message, (waits.get(message) ?? 0) + 1);
    }
  }
  return {
    namespace,
    id,
    name: labels["spark-app-name"] ?? id,
    driver: { pod: driverName, uid: driverUid },
    queue: labels[SCHEDULER_QUEUE_LABEL] ?? "default",
    priority: Number.parseInt(annotations[SCHEDULER_PRIORITY_ANNOTATION] ?? "", 10) || 0,
    state: textAt(driver, "status", "phase") === "Running" ? "running" : "starting",
    since: Date.parse(creationTimestamp),
    minimumExecutors: 0,
    executors: counts,
    used: sum(used),
    waits: [...waits].map(([message, count]) => `${count} ${count === 1 ? "executor" : "executors"}: ${message}`),
  };
}

const WAITS: ReadonlySet<string> = new Set(["AwaitingAdmission", "AwaitingQuota", "AwaitingCluster"]);

function stateOf(kind: string, pod: KubeObject): keyof ExecutorCounts | undefined {
  if (kind === "waiting") return "waiting";
  if (kind === "creating") return "admitted";
  if (kind !== "real") return undefined;
  if (pod.metadata.deletionTimestamp !== undefined) return "leaving";
  return textAt(pod, "status", "phase") === "Running" ? "running" : "pending";
}
