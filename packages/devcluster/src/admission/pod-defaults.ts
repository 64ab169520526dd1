import type { LimitRange, PriorityClass } from "../../objects/core.ts";
import type { Container, Pod, ResourceList, Toleration } from "../../objects/pod.ts";
import { parseAmount } from "../schema/quantity.ts";
import type { Store } from "../storage/store.ts";
import { forbidden } from "../status/errors.ts";
import type { AdmissionPlugin, AdmissionRequest } from "./admission.ts";

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

/** Lets pods stay for five minutes on a node that is in trouble. */
export const defaultTolerations: AdmissionPlugin = {
  admit({ operation, type, object, subresource }) {
    // Also on updates: clients that send the pod that they once made do not know of these.
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

/** Fills in and checks what containers ask for, by the limit ranges of their namespace. */
export function limitRanger(store: Store): AdmissionPlugin {
  const rangesOf = (namespace: string | undefined): LimitRange[] =>
    [...store.collection("limitranges").list(namespace)].map(({ object }) => object as LimitRange);
  return {
    admit(request) {
      const pod = newPod(request);
      if (pod === undefined) return;
      const ranges = rangesOf(request.namespace);
      if (ranges.length === 0) return;
      for (const container of [...(pod.spec.initContainers ?? []), ...(pod.spec.containers ?? [])]) {
        for (const range of ranges) fillIn(container, range);
      }
    },
    validate(request) {
      const pod = newPod(request);
      if (pod === undefined) return;
      const problems = rangesOf(request.namespace).flatMap((range) =>
        [...(pod.spec.containers ?? []), ...(pod.spec.initContainers ?? [])].flatMap((container) =>
          violations(container, range),
        ),
      );
      if (problems.length === 0) return;
      const why = problems.length === 1 ? (problems[0] ?? "") : `[${problems.join(", ")}]`;
      throw forbidden({ group: "", resource: "pods" }, pod.metadata.name, why);
    },
  };
}

function fillIn(container: Container, { spec }: LimitRange): void {
  for (const item of spec.limits ?? []) {
    if (item.type !== "Container") continue;
    container.resources = {
      ...container.resources,
      ...filled("limits", container.resources.limits, item.default),
      ...filled("requests", container.resources.requests, item.defaultRequest),
    };
  }
}

function filled(field: string, given: ResourceList | undefined, defaults: ResourceList | undefined): object {
  return given === undefined && defaults === undefined ? {} : { [field]: { ...defaults, ...given } };
}

function violations({ resources }: Container, { spec }: LimitRange): string[] {
  const problems: string[] = [];
  for (const item of spec.limits ?? []) {
    if (item.type !== "Container") continue;
    for (const [name, most] of Object.entries(item.max ?? {})) {
      const limit = resources.limits?.[name];
      if (limit === undefined) problems.push(`maximum ${name} usage per Container is ${most}.  No limit is specified`);
      else if (exceeds(limit, most))
        problems.push(`maximum ${name} usage per Container is ${most}, but limit is ${limit}`);
    }
    for (const [name, least] of Object.entries(item.min ?? {})) {
      const request = resources.requests?.[name];
      if (request === undefined)
        problems.push(`minimum ${name} usage per Container is ${least}.  No request is specified`);
      else if (exceeds(least, request))
        problems.push(`minimum ${name} usage per Container is ${least}, but request is ${request}`);
    }
  }
  return problems;
}

function exceeds(a: string, b: string): boolean {
  const [x, y] = [parseAmount(a), parseAmount(b)];
  return x !== undefined && y !== undefined && x.nanos > y.nanos;
}

/** The pod that a request is about to make, if it makes one. */
export function newPod({ operation, type, object, subresource }: AdmissionRequest): Pod | undefined {
  return operation === "create" && type.storageKey === "pods" && subresource === ""
    ? (object as Pod | undefined)
    : undefined;
}
