import type { JsonObject, KubeObject } from "@kindling/kube-objects";
import {
  SCHEDULER_EXECUTOR_PLACEMENT_ANNOTATION,
  SCHEDULER_EXECUTOR_REQUEST_ANNOTATION,
  SCHEDULER_GATEWAY_LABEL,
  SCHEDULER_MIN_EXECUTORS_ANNOTATION,
  SCHEDULER_PRIORITY_ANNOTATION,
  SCHEDULER_QUEUE_LABEL,
} from "@kindling/core-spec";
import { ANYWHERE, type PodShape, readResources } from "@kindling/admission";
import { jsonObjectIn, textsOf } from "../../json/fields.ts";

/** What a driver pod says about its application before it asks for anything. Invalid values are ignored. */
export interface Announcement {
  /** Whether the application says that the gateway manages it. */
  readonly isGateways: boolean;
  readonly queue: string | undefined;
  /** `undefined`: the driver names none. */
  readonly priority: number | undefined;
  readonly minimumExecutors: number;
  /** What an executor will ask for; its placement is not known here. */
  readonly executor: PodShape | undefined;
  /** The same as quantities. */
  readonly executorRequest: Readonly<Record<string, string>> | undefined;
  /** The part of an executor's spec that says where it may run; `undefined`: where the driver may. */
  readonly executorPlacement: JsonObject | undefined;
}

/** @param mostExecutors higher numbers are ignored */
export function announcementOf(
  { metadata: { labels = {}, annotations = {} } }: KubeObject,
  mostExecutors: number,
): Announcement {
  const minimum = wholeNumber(annotations[SCHEDULER_MIN_EXECUTORS_ANNOTATION]) ?? 0;
  const queue = labels[SCHEDULER_QUEUE_LABEL];
  const request = jsonObjectIn(annotations[SCHEDULER_EXECUTOR_REQUEST_ANNOTATION]);
  return {
    isGateways: labels[SCHEDULER_GATEWAY_LABEL] === "true",
    queue: queue === "" ? undefined : queue,
    priority: wholeNumber(annotations[SCHEDULER_PRIORITY_ANNOTATION]),
    minimumExecutors: Math.min(Math.max(0, minimum), mostExecutors),
    executor: request && executorShape(request),
    executorRequest: request && textsOf(request),
    executorPlacement: jsonObjectIn(annotations[SCHEDULER_EXECUTOR_PLACEMENT_ANNOTATION]),
  };
}

function wholeNumber(text: string | undefined): number | undefined {
  return text !== undefined && /^-?\d{1,9}$/.test(text) ? Number(text) : undefined;
}

function executorShape(request: JsonObject): PodShape {
  const amounts = Object.entries(readResources(textsOf(request))).filter(
    ([name, amount]) => amount > 0 && !(name in {}),
  );
  const requests = { ...Object.fromEntries(amounts), pods: 1 };
  // Spark sets an executor's memory limit to its memory request. It sets no other limit unless it is told to.
  const { memory } = Object.fromEntries(amounts);
  return { requests, limits: memory === undefined ? {} : { memory }, placement: ANYWHERE };
}
