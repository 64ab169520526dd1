import type { PriorityClass } from "../objects/core.ts";
import type { Pod, Toleration } from "../objects/pod.ts";
import { type AdmissionPlugin, type AdmissionRequest, forbidden, type Store } from "@kindling/api-server";

const SYSTEM_PRIORITIES: ReadonlyMap<string, number> = new Map([
  ["system-cluster-critical", 2_000_000_000],
  ["system-node-critical", 2_000_001_000],
]);

/** Turns the name of a priority class into a number, and gives pods without one the default. */
export function priorityAdmission(store: Store): AdmissionPlugin {
  return {
    admit(request) {
      const pod = newPod(request);
      if (pod === undefined) return;
      const { spec } = pod;
      const given = spec.priorityClassName ?? "";
      const classes = [...store.collection("priorityclasses.scheduling.k8s.io").list()].map(
        ({ object }) => object as PriorityClass,
      );
      const chosen =
        given === ""
          ? classes.find(({ globalDefault }) => globalDefault === true)
          : classes.find(({ metadata }) => metadata.name === given);
      if (given !== "" && chosen === undefined && !SYSTEM_PRIORITIES.has(given)) {
        const why = `no PriorityClass with name ${given} was found`;
        throw forbidden({ group: "", resource: "pods" }, pod.metadata.name ?? "", why);
      }
      const priority = chosen?.value ?? SYSTEM_PRIORITIES.get(given) ?? 0;
      if (spec.priority !== undefined && spec.priority !== priority) {
        const why = `the integer value of priority (${spec.priority}) must not be provided in pod spec; priority admission controller computed ${priority} from the given PriorityClass name`;
        throw forbidden({ group: "", resource: "pods" }, pod.metadata.name ?? "", why);
      }
      if (chosen !== undefined) spec.priorityClassName = chosen.metadata.name;
      spec.priority = priority;
      spec.preemptionPolicy ??= chosen?.preemptionPolicy ?? "PreemptLowerPriority";
    },
  };
}

const NODE_TROUBLES = ["node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable"];

/** Lets pods stay for five minutes on a node with a problem. */
export const defaultTolerations: AdmissionPlugin = {
  admit({ operation, type, object, subresource }) {
    // Also on updates: a client may send the pod as it first created it, without these tolerations.
    if (operation === "delete" || type.storageKey !== "pods" || subresource !== "" || object === undefined) return;
    const pod = object as Pod;
    const { spec } = pod;
    const given = spec.tolerations ?? [];
    const added = NODE_TROUBLES.filter((key) => !given.some((one) => toleratesNoExecute(one, key))).map((key) => ({
      key,
      operator: "Exists",
      effect: "NoExecute",
      tolerationSeconds: 300,
    }));
    if (added.length > 0) spec.tolerations = [...given, ...added];
  },
};

function toleratesNoExecute({ key = "", effect = "" }: Toleration, wanted: string): boolean {
  return (key === wanted || key === "") && (effect === "NoExecute" || effect === "");
}

/** The pod that a request creates, if it creates one. */
export function newPod({ operation, type, object, subresource }: AdmissionRequest): Pod | undefined {
  return operation === "create" && type.storageKey === "pods" && subresource === ""
    ? (object as Pod | undefined)
    : undefined;
}
