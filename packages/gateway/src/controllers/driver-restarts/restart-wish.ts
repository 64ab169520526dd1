import type { KubeObject } from "@kindling/kube-objects";
import {
  SCHEDULER_DRIVER_BACKOFF_ANNOTATION,
  SCHEDULER_DRIVER_MAX_RESTARTS_ANNOTATION,
  SCHEDULER_DRIVER_RESET_ANNOTATION,
  SCHEDULER_DRIVER_RESTART_ANNOTATION,
  SCHEDULER_GATEWAY_LABEL,
} from "@kindling/core-spec";
import { isDriver } from "../../spark/spark-pod.ts";

/** What an application wants when its driver has ended. */
export interface RestartWish {
  readonly when: "onFailure" | "always";
  readonly maxRestarts: number;
  readonly backoffSeconds: number;
  readonly resetAfterSeconds: number;
}

// The defaults of spark.kindling.driver.restart.*: a pod that was written by hand may lack some annotations.
const MAX_RESTARTS = 5;
const BACKOFF_SECONDS = 10;
const RESET_AFTER_SECONDS = 3600;

/** Reads a driver pod's restart settings; undefined if it has none or they are invalid. */
export function restartWish(pod: KubeObject): RestartWish | undefined {
  const { labels = {}, annotations = {} } = pod.metadata;
  if (!isDriver(pod) || labels[SCHEDULER_GATEWAY_LABEL] !== "true") return undefined;
  const when = annotations[SCHEDULER_DRIVER_RESTART_ANNOTATION];
  if (when !== "onFailure" && when !== "always") return undefined;
  return {
    when,
    maxRestarts: wholeNumber(annotations[SCHEDULER_DRIVER_MAX_RESTARTS_ANNOTATION]) ?? MAX_RESTARTS,
    backoffSeconds: wholeNumber(annotations[SCHEDULER_DRIVER_BACKOFF_ANNOTATION]) ?? BACKOFF_SECONDS,
    resetAfterSeconds: wholeNumber(annotations[SCHEDULER_DRIVER_RESET_ANNOTATION]) ?? RESET_AFTER_SECONDS,
  };
}

/** A whole number from an annotation; undefined for anything else. */
export function wholeNumber(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : undefined;
}
