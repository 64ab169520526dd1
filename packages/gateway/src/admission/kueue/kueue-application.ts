import type { JsonObject, KubeObject } from "@kindling/kube-objects";
import { SCHEDULER_ADMISSION_GATE, SPARK_RESOURCE_PROFILE_ID_LABEL } from "@kindling/core-spec";
import { withoutUndefined } from "../../json/without-undefined.ts";
import { driverPhase, isOver } from "../../spark/driver-phase.ts";
import { gatesOf } from "../../spark/spark-pod.ts";
import type { Announcement } from "../demand/announcement.ts";
import type { RequestedExecutor } from "../demand/application-demand.ts";
import { executorPod } from "../demand/executor-pod.ts";
import type { Requested } from "../demand/set-executors.ts";
import { flavorsOf } from "./assigned-pod.ts";
import { isManagedByKueue } from "./local-queue.ts";
import { CORE_PROFILE, flavorsKey, type HeldExecutors, type KueueApplication } from "./plan-workloads.ts";
import type { Workload } from "./workload.ts";

export interface KueueFacts {
  readonly driver: KubeObject;
  readonly announcement: Announcement;
  readonly requested: Requested;
  readonly workloads: readonly Workload[];
  /** Whether this executor was asked to leave. */
  readonly isLeaving: (pod: KubeObject) => boolean;
}

/** The executors of one resource profile, one by one. */
export interface ProfileExecutors {
  readonly waiting: RequestedExecutor[];
  /** By flavors. */
  readonly held: Map<string, RequestedExecutor[]>;
}

/** The executors of an application by their resource profiles. */
export function executorsByProfile({ requested, workloads }: KueueFacts): ReadonlyMap<string, ProfileExecutors> {
  const profiles = new Map<string, ProfileExecutors>();
  const firstFlavors = new Map<string, string>();
  for (const { profile, state } of workloads) {
    const hasQuota = state.kind === "admitted" || state.kind === "evicted";
    if (hasQuota && !firstFlavors.has(profile)) firstFlavors.set(profile, flavorsKey(state));
  }
  for (const executor of requested.executors) {
    const profile = profileOf(executor.pod);
    const own = profiles.get(profile) ?? { waiting: [], held: new Map<string, RequestedExecutor[]>() };
    profiles.set(profile, own);
    if (executor.kind === "waiting") own.waiting.push(executor);
    else {
      // Executors of sets, and those from before Kueue was used, do not say for which flavors they were created.
      const flavors = flavorsOf(executor.pod) ?? firstFlavors.get(profile) ?? "";
      const others = own.held.get(flavors);
      if (others === undefined) own.held.set(flavors, [executor]);
      else others.push(executor);
    }
  }
  return profiles;
}

/** Facts, with the executors by their resource profiles. */
export interface KueueScene extends KueueFacts {
  readonly profiles: ReadonlyMap<string, ProfileExecutors>;
}

/** An application as the plan sees it. */
export function kueueApplication(scene: KueueScene): KueueApplication {
  const { driver, announcement, requested, isLeaving } = scene;
  const isGated = gatesOf(driver).includes(SCHEDULER_ADMISSION_GATE);
  const profiles = [...scene.profiles].map(([profile, { waiting, held }], index) => {
    const counts = [...held].map(([flavors, executors]) => [flavors, countsOf(executors, isLeaving)] as const);
    // Sets list only the first of their waiting executors.
    const unlisted = index === 0 ? requested.unlisted : 0;
    return [profile, { waiting: waiting.length + unlisted, held: new Map(counts) }] as const;
  });
  return {
    driver: {
      state: isOver(driver) ? "over" : isGated ? "gated" : "started",
      isRunning: driverPhase(driver) === "Running",
      isManaged: isManagedByKueue(driver),
    },
    minimum: announcement.minimumExecutors,
    profiles: new Map(profiles),
  };
}

/** What an executor of a profile asks for: as one that the driver has asked for, or as it is announced. */
export function executorSpecOf(profile: string, { driver, announcement, requested }: KueueFacts): JsonObject {
  const asked = requested.executors.find(({ pod }) => profileOf(pod) === profile)?.pod["spec"];
  if (asked !== undefined) return asked as JsonObject;
  const { executorRequest, executorPlacement } = announcement;
  const driverSpec = driver["spec"] as JsonObject;
  const { nodeSelector, affinity, tolerations } = executorPlacement ?? driverSpec;
  const place = withoutUndefined({ nodeSelector, affinity, tolerations });
  if (executorRequest === undefined) return { ...driverSpec, ...place };
  return { ...place, containers: [{ name: "spark-kubernetes-executor", resources: { requests: executorRequest } }] };
}

function countsOf(executors: readonly RequestedExecutor[], isLeaving: (pod: KubeObject) => boolean): HeldExecutors {
  const counts = { running: 0, staying: 0, leaving: 0 };
  for (const { pod } of executors) {
    const { isRunning, isBeingDeleted } = executorPod(pod);
    if (isLeaving(pod) || isBeingDeleted) counts.leaving += 1;
    else {
      counts.staying += 1;
      if (isRunning) counts.running += 1;
    }
  }
  return counts;
}

function profileOf({ metadata: { labels } }: KubeObject): string {
  return labels?.[SPARK_RESOURCE_PROFILE_ID_LABEL] ?? CORE_PROFILE;
}
