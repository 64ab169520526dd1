import type { KubeObject } from "@kindling/kube-objects";
import { type ResourceDefinition, parseAmount, type SelectableFields } from "@kindling/api-server";
import { type Pod, type PodStatus, containersOf, isFinished } from "../../objects/pod.ts";
import { podColumns } from "./pod-columns.ts";
import { validatePod } from "../../validation/pod/pod-spec.ts";
import { validatePodUpdate } from "../../validation/pod/pod-update.ts";
import { setPodDefaults } from "../defaults/pod-defaults.ts";

/** Pods. Their log, eviction, resize and port-forward are subresources with their own handlers. */
export const pods: ResourceDefinition = {
  kind: "Pod",
  shortNames: ["po"],
  categories: ["all"],
  status: true,
  subresources: [
    { name: "eviction", verbs: ["create"], kind: { group: "policy", version: "v1", kind: "Eviction" } },
    { name: "log", verbs: ["get"] },
    {
      name: "portforward",
      verbs: ["create", "get"],
      kind: { group: "", version: "v1", kind: "PodPortForwardOptions" },
    },
    { name: "resize", verbs: ["patch"] },
  ],
  columns: podColumns,
  rules: {
    generation: true,
    returnsDeleted: true,
    setDefaults: (object) => setPodDefaults(object as Pod),
    prepareCreate: (object, now) => {
      const pod = object as Pod;
      pod.status = initialStatus(pod, now);
    },
    validate: (object) => validatePod(object as Pod),
    validateUpdate: ({ next, current }) => validatePodUpdate(next as Pod, current as Pod),
    gracePeriod,
    selectableFields,
  },
};

function initialStatus(pod: Pod, now: string): PodStatus {
  const gated = (pod.spec.schedulingGates ?? []).length > 0;
  return {
    phase: "Pending",
    ...(gated ? { conditions: [{ ...GATED, lastTransitionTime: now }] } : {}),
    qosClass: qosClass(pod),
  };
}

const GATED = {
  type: "PodScheduled" as const,
  status: "False" as const,
  lastProbeTime: null,
  reason: "SchedulingGated",
  message: "Scheduling is blocked due to non-empty scheduling gates",
};

// A pod without a node, or one that has ended, needs no grace period.
function gracePeriod(object: KubeObject, asked: number | undefined): number {
  const pod = object as Pod;
  if ((pod.spec.nodeName ?? "") === "" || isFinished(pod)) return 0;
  return asked ?? pod.spec.terminationGracePeriodSeconds ?? 30;
}

function selectableFields(object: KubeObject): SelectableFields {
  const { spec, status } = object as Partial<Pod>;
  return {
    "spec.nodeName": spec?.nodeName ?? "",
    "spec.restartPolicy": spec?.restartPolicy ?? "",
    "spec.schedulerName": spec?.schedulerName ?? "",
    "spec.serviceAccountName": spec?.serviceAccountName ?? "",
    "spec.hostNetwork": String(spec?.hostNetwork === true),
    "status.phase": status?.phase ?? "",
    "status.podIP": status?.podIP ?? "",
    "status.nominatedNodeName": status?.nominatedNodeName ?? "",
  };
}

/** The quality of service class of a pod, from the requests and limits of its containers. */
function qosClass(pod: Pod): string {
  const containers = [...(pod.spec.initContainers ?? []), ...containersOf(pod)];
  let any = false;
  let guaranteed = true;
  for (const { resources } of containers) {
    for (const name of ["cpu", "memory"]) {
      const request = positive(resources.requests?.[name]);
      const limit = positive(resources.limits?.[name]);
      if (request !== undefined || limit !== undefined) any = true;
      if (limit === undefined || (request !== undefined && request !== limit)) guaranteed = false;
    }
  }
  if (!any) return "BestEffort";
  return guaranteed ? "Guaranteed" : "Burstable";
}

function positive(text: string | undefined): bigint | undefined {
  const amount = text === undefined ? undefined : parseAmount(text);
  return amount === undefined || amount.nanos <= 0n ? undefined : amount.nanos;
}
