import { SCHEDULER_CA_CONFIG_MAP } from "@kindling/core-spec";
import type { PodEvent } from "../evidence/pod-event.ts";
import type { Role } from "../finding.ts";
import type { ExaminedPod, Said } from "./role.ts";

/**
 * The message that mounting takes long. An older kubelet writes it in turn with the reason (kubelet,
 * volumemanager.WaitForAttachAndMount).
 */
const GENERIC = /timed out waiting for the condition|^Unable to attach or mount volumes|context deadline exceeded/;
/** A problem that still exists is reported at least this often: a kubelet tries again at least every two minutes. */
const FRESH_MS = 10 * 60_000;

/** The volume that a pod on a node cannot get: the event that gives the reason, no matter which came last. */
export function withoutVolume({ role, events }: ExaminedPod): Said | undefined {
  const event = mostTelling(events.filter(({ reason }) => /^Failed(?:Mount|AttachVolume|MapVolume)$/.test(reason)));
  if (event === undefined) return undefined;
  return {
    cause: "Volume",
    word: event.reason,
    summary: `a volume of the pod cannot be had: ${event.message}`,
    advice: volumeAdvice(event.message, role),
    times: event.count,
    since: event.first,
  };
}

function mostTelling(events: readonly PodEvent[]): PodEvent | undefined {
  const newest = Math.max(...events.map(timeOf));
  const fresh = events.filter((event) => !(newest - timeOf(event) > FRESH_MS));
  return (
    fresh.findLast(({ message }) => /not found|non-existent|Multi-Attach/i.test(message)) ??
    fresh.findLast(({ message }) => !GENERIC.test(message)) ??
    fresh.at(-1)
  );
}

function timeOf({ last }: PodEvent): number {
  return Date.parse(last ?? "") || 0;
}

interface VolumeFault {
  readonly words: RegExp;
  readonly advice: (role: Role) => string;
}

// Kubernetes: pkg/volume, attach/detach controller, CSI drivers' usual words; nfs-utils, util-linux.
const FAULTS: readonly VolumeFault[] = [
  {
    words: /Multi-Attach|already (?:exclusively )?(?:attached|used by|in use)|is (?:already )?in use by/i,
    advice: (role) =>
      (role === "executor"
        ? "pods on different nodes cannot share a ReadWriteOnce claim: spark.kubernetes.executor.volumes.persistentVolumeClaim.NAME.options.claimName=OnDemand gives each executor its own; or use one with ReadWriteMany. "
        : "one node at a time can have a ReadWriteOnce claim: end the pod that has it, or use one with ReadWriteMany. ") +
      "After a pod that is gone, the disk is set free in some minutes: kubectl get volumeattachments",
  },
  {
    words: /references non-existent (?:secret|config) key/i,
    advice: () => "add the key to what the volume names, or correct the key's name in its items",
  },
  {
    words: /not found in the list of registered CSI drivers|no CSI driver|driver name .* not found/i,
    advice: () =>
      "the storage's CSI driver does not run on that node: kubectl get csinodes; its daemon set may lack a toleration, or may be starting",
  },
  {
    words: /hostPath type check failed|is not a directory|path "[^"]+" does not exist|no such file or directory/i,
    advice: () =>
      "the path is not on that node: make it there, choose nodes that have it, or use type DirectoryOrCreate",
  },
  {
    words: /bad option|wrong fs type|mount\.nfs|access denied by server|mount failed/i,
    advice: () =>
      "the node cannot mount it: check server, path and the export's rights, and that the node has the client for it (nfs-common, for one)",
  },
  {
    words: /volume limit|attachment limit|max(?:imum)? (?:number of )?volumes|too many volumes/i,
    advice: () =>
      "that node has as many disks as it may: use fewer volumes for each executor, or larger executors on more nodes",
  },
  {
    words: /zone|node affinity/i,
    advice: () =>
      "the disk is in another zone than the node: use a storage class with volumeBindingMode: WaitForFirstConsumer",
  },
];

function volumeAdvice(message: string, role: Role): string | undefined {
  const [, kind, name] = /(secret|configmap|persistentvolumeclaim) "([^"]+)" not found/i.exec(message) ?? [];
  if (kind !== undefined) return missingAdvice(kind, name);
  const known = FAULTS.find(({ words }) => words.test(message));
  if (known !== undefined) return known.advice(role);
  return GENERIC.test(message) ? "kubectl describe pod, and the log of the storage's CSI driver, say more" : undefined;
}

function missingAdvice(kind: string, name: string | undefined): string {
  return name === SCHEDULER_CA_CONFIG_MAP
    ? `the scheduler's gateway makes it in the namespaces that it serves: check that this is one, or set spark.kindling.scheduler.caFile`
    : `make the ${kind} ${name} in the pod's namespace, or correct its name`;
}
