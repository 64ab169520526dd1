import { isObject, type JsonObject, type KubeObject, type ObjectMeta } from "@kindling/kube-objects";
import {
  SCHEDULER_ADMISSION_GATE,
  SCHEDULER_LAST_END_ANNOTATION,
  SCHEDULER_RESTART_AT_ANNOTATION,
  SCHEDULER_RESTART_FINALIZER,
  SCHEDULER_RESTART_OF_ANNOTATION,
  SCHEDULER_RESTARTS_ANNOTATION,
  SCHEDULER_RESTARTS_COUNTED_ANNOTATION,
} from "@kindling/core-spec";
import { withDriverSize } from "../../healing/driver-size.ts";
import { DRIVER_PROFILE, memoryRecord } from "../../healing/memory-record.ts";
import { objectAt } from "../../json/fields.ts";
import { withoutUndefined } from "../../json/without-undefined.ts";
import { unsaved } from "../../json/unsaved.ts";
import { wholeNumber } from "./restart-wish.ts";

/** What is recorded on the next driver pod. */
export interface Memory {
  /** How many restarts count against the limit, this one included. */
  readonly counted: number;
  /** How the previous pod ended. */
  readonly words: string;
}

/**
 * Annotations about one single pod: why it failed, and network data about its address. If a second pod had them, it might be
 * given the same address.
 */
const OF_ONE_POD = /^(?:spark\.exit-exception$|(?:cni\.projectcalico\.org|k8s\.ovn\.org|k8s\.v1\.cni\.cncf\.io)\/)/;

/** How often a driver was restarted, according to its pod. */
export function restartsOf({ metadata: { annotations = {} } }: KubeObject): { total: number; counted: number } {
  return {
    total: wholeNumber(annotations[SCHEDULER_RESTARTS_ANNOTATION]) ?? 0,
    counted: wholeNumber(annotations[SCHEDULER_RESTARTS_COUNTED_ANNOTATION]) ?? 0,
  };
}

/** Whether a driver pod is the successor of another. */
export function follows({ metadata: { annotations = {} } }: KubeObject, uid: string): boolean {
  return annotations[SCHEDULER_RESTART_OF_ANNOTATION] === uid;
}

/**
 * The successor of a driver pod: the same name, labels and spec, with the scheduling gate again. Fields that the cluster
 * added to the old pod are left out, because it adds them to the new one again.
 */
export function nextDriver(ended: KubeObject, { counted, words }: Memory): KubeObject {
  const { apiVersion, kind, metadata } = ended;
  const { finalizers: _theirs, ...own } = unsaved(metadata);
  const { [SCHEDULER_RESTART_AT_ANNOTATION]: _done, ...annotations } = metadata.annotations ?? {};
  const kept = Object.entries(annotations).filter(([name]) => !OF_ONE_POD.test(name));
  const next: ObjectMeta = {
    ...own,
    finalizers: [SCHEDULER_RESTART_FINALIZER],
    annotations: {
      ...Object.fromEntries(kept),
      [SCHEDULER_RESTART_OF_ANNOTATION]: metadata.uid,
      [SCHEDULER_RESTARTS_ANNOTATION]: String(restartsOf(ended).total + 1),
      [SCHEDULER_RESTARTS_COUNTED_ANNOTATION]: String(counted),
      [SCHEDULER_LAST_END_ANNOTATION]: words,
    },
  };
  const made = { apiVersion, kind, metadata: next, spec: nextSpec(objectAt(ended, "spec")) };
  // Its memory, if the last one had too little.
  const memory = memoryRecord(ended).get(DRIVER_PROFILE);
  return memory === undefined ? made : withDriverSize(made, memory.now);
}

function nextSpec(spec: JsonObject): JsonObject {
  const { nodeName: _node, ephemeralContainers: _debuggers, priority, preemptionPolicy, overhead, ...asked } = spec;
  return {
    ...asked,
    // The API server computes both from the priority class, and refuses other values.
    ...withoutUndefined(typeof spec["priorityClassName"] === "string" ? {} : { priority, preemptionPolicy }),
    ...withoutUndefined(typeof spec["runtimeClassName"] === "string" ? {} : { overhead }),
    schedulingGates: [{ name: SCHEDULER_ADMISSION_GATE }],
  };
}

/** Reads a recorded driver pod; undefined if the text is none. */
export function parseDriver(text: string | undefined): KubeObject | undefined {
  if (text === undefined) return undefined;
  try {
    const pod: unknown = JSON.parse(text);
    const isPod = isObject(pod) && pod["kind"] === "Pod" && isObject(pod["metadata"]) && isObject(pod["spec"]);
    return isPod ? (pod as unknown as KubeObject) : undefined;
  } catch {
    return undefined;
  }
}
