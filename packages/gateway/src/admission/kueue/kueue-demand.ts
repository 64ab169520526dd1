import type { ApplicationDemand, PodShape } from "@kindling/admission";
import type { KubeObject } from "@kindling/kube-objects";
import { applicationDemand } from "../demand/application-demand.ts";
import type { KueueFacts } from "./kueue-application.ts";
import { queueOfLocalQueue } from "./local-queue.ts";

export interface KueueDemandFacts extends Omit<KueueFacts, "workloads"> {
  readonly localQueue: string;
  readonly isStarted: boolean;
  readonly shapeOf: (pod: KubeObject) => PodShape;
}

/** An application that Kueue decides on, in the form in which all applications are shown. */
export function kueueDemand(facts: KueueDemandFacts): ApplicationDemand {
  const { driver, announcement, requested, localQueue, isLeaving, isStarted, shapeOf } = facts;
  return applicationDemand({
    ...{ driver, announcement, isLeaving, isStarted, shapeOf },
    queue: queueOfLocalQueue(localQueue),
    spot: undefined,
    refusal: undefined,
    priority: announcement.priority ?? 0,
    executors: requested.executors,
    unlisted: requested.unlisted,
    leaveOf: () => "never",
    wasComplete: true,
    hasLapsed: false,
    behindMs: 0,
    // Kueue counts Workloads, and those of executors end with them.
    keepers: [],
  });
}
