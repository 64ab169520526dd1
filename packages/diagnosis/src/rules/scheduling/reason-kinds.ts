import type { Role } from "../../finding.ts";
import { taintAdvice } from "./taints.ts";

/** One kind of reason why a node does not take a pod. */
export interface ReasonKind {
  readonly name: string;
  /** By the words of the scheduler and its plugins (Kubernetes, pkg/scheduler/framework/plugins). */
  readonly words: RegExp;
  /** A few words for a column; the scheduler's own, if undefined. */
  readonly word?: string;
  /** @param texts what the nodes say of this kind */
  readonly advice: (role: Role, texts: readonly string[]) => string;
}

const templateOf = (role: Role): string => `the pod template (spark.kubernetes.${role}.podTemplateFile)`;
const claimIn = (text: string): string | undefined => /persistentvolumeclaim "([^"]+)"/i.exec(text)?.[1];

/** Reasons about volumes come first: their words contain those of affinity. */
const VOLUMES: readonly ReasonKind[] = [
  {
    name: "claim-missing",
    words: /persistentvolumeclaim "[^"]+" not found/i,
    word: "volume claim not found",
    advice: (role, [text = ""]) =>
      `make the persistent volume claim ${claimIn(text) ?? ""} in the pod's namespace, or correct its name${role === "executor" ? "; claimName=OnDemand makes one for each executor" : ""}`,
  },
  {
    name: "storage-class",
    words: /storageclass(?:\.storage\.k8s\.io)? "[^"]+" not found/i,
    word: "storage class not found",
    advice: () =>
      "correct the storage class of the claim (spark.kubernetes.*.volumes.persistentVolumeClaim.*.options.storageClass): kubectl get storageclass shows those that are there",
  },
  {
    name: "volume-elsewhere",
    words: /volume node affinity conflict|PersistentVolume's node affinity|no available volume zone|volume zone/i,
    word: "volume elsewhere",
    advice: () =>
      "the volume of a claim is in a zone, or on a node, where no node takes the pod: kubectl get pv -o wide and kubectl describe pv show where; " +
      "let pods go there, make room there, or use a storage class with volumeBindingMode: WaitForFirstConsumer and a new claim",
  },
  {
    name: "claim-unbound",
    words:
      /unbound immediate PersistentVolumeClaims|find available persistent volumes to bind|enough free storage|waiting for ephemeral volume controller|bound to non-existent|persistentvolumeclaim .* is being deleted|binding volumes|persistentvolumeclaim/i,
    word: "volume claim not bound",
    advice: () =>
      "a persistent volume claim of the pod is not bound: kubectl describe pvc says why (no such storage class, no volume that fits, no provisioner)",
  },
  {
    name: "volume-in-use",
    words: /ReadWriteOncePod/i,
    word: "volume in use",
    advice: () =>
      "another pod uses the claim, whose access mode lets one pod at a time have it: wait for that pod, or give each pod a claim of its own (claimName=OnDemand)",
  },
  {
    name: "volume-count",
    words: /exceed max volume count/i,
    word: "too many volumes",
    advice: () =>
      "those nodes have as many volumes attached as they may: use fewer volumes for each executor, smaller executors on more nodes, or add a node",
  },
];

const ROOM: readonly ReasonKind[] = [
  {
    name: "memory",
    words: /Insufficient memory/,
    advice: (role) =>
      `no node has that much memory free: lower spark.${role}.memory or spark.${role}.memoryOverhead, or add a node`,
  },
  {
    name: "cpu",
    words: /Insufficient cpu/,
    advice: (role) =>
      `no node has that many cores free: lower spark.kubernetes.${role}.request.cores (spark.${role}.cores where that is not set), or add a node`,
  },
  {
    name: "ephemeral-storage",
    words: /Insufficient ephemeral-storage/,
    advice: (role) =>
      `no node has that much local storage free: lower spark.kindling.ephemeralStorage, or the request in ${templateOf(role)}, or give Spark's local directories a volume of their own`,
  },
  {
    name: "device",
    words: /Insufficient [\w.-]+\/[\w.-]+/,
    advice: (role, [text = ""]) => {
      const [, resource = "it"] = /Insufficient ([\w.-]+\/[\w.-]+)/.exec(text) ?? [];
      return (
        `no node has ${resource} free: nodes offer it where its device plugin runs (kubectl describe nodes, under Allocatable); ` +
        `ask for less (spark.${role}.resource.*.amount, or ${templateOf(role)}), or add such a node`
      );
    },
  },
  {
    name: "pods",
    words: /Too many pods|Insufficient pods/,
    word: "Too many pods",
    advice: () => "the nodes hold as many pods as they may: use fewer and larger executors, wait, or add a node",
  },
  {
    name: "other-room",
    words: /Insufficient |resource fit failed/,
    advice: () => "no node has that much of this resource free: ask for less, or add a node",
  },
];

const PLACES: readonly ReasonKind[] = [
  { name: "taint", words: /\btaint/i, word: "untolerated taint", advice: taintAdvice },
  {
    name: "spread",
    words: /topology spread constraints/i,
    word: "topology spread",
    advice: (role) =>
      `the topologySpreadConstraints of ${templateOf(role)} leave no node: use whenUnsatisfiable: ScheduleAnyway, or a larger maxSkew; "missing required label" tells of nodes without the topologyKey`,
  },
  {
    name: "pod-affinity",
    words: /pod (?:anti-)?affinity|anti-affinity/i,
    word: "pod affinity",
    advice: (role) =>
      `other pods decide which nodes it may go to: check podAffinity and podAntiAffinity in ${templateOf(role)}, and of the pods that run there; preferred… instead of required… lets it go anywhere`,
  },
  {
    name: "ports",
    words: /free ports/i,
    word: "host port taken",
    advice: (role) => `the hostPort or hostNetwork of ${templateOf(role)} lets a node have one such pod: leave it out`,
  },
  {
    name: "affinity",
    words: /affinity|selector|requested node name/i,
    word: "no node matches",
    advice: (role) =>
      `those nodes do not have the labels that are asked for: check spark.kubernetes.node.selector.*, spark.kubernetes.${role}.node.selector.*, and ${templateOf(role)}; kubectl get nodes --show-labels`,
  },
  {
    name: "unschedulable",
    words: /were unschedulable|were not ready|not ready|had condition|out of disk|pressure/i,
    word: "nodes not ready",
    advice: () => "those nodes take no pods now (cordoned, drained, or not ready): kubectl get nodes shows which",
  },
  {
    name: "device-claim",
    words: /resourceclaim|allocate all claims|deviceclass/i,
    word: "device claim",
    advice: () =>
      "a ResourceClaim of the pod cannot be had: kubectl describe resourceclaim, and kubectl get resourceslices",
  },
  {
    name: "no-nodes",
    words: /no nodes available/i,
    word: "no nodes",
    advice: () => "the cluster has no node that takes pods: kubectl get nodes",
  },
];

export const REASON_KINDS: readonly ReasonKind[] = [...VOLUMES, ...ROOM, ...PLACES];
