import { harmlessText } from "@kindling/core-spec";
import {
  amountText,
  type ClassRefusal,
  type Holder,
  type HolderReason,
  type Limit,
  type RefusingClass,
  type Resources,
  type Wait,
} from "@kindling/admission";

/** Why an application waits, in a sentence for people: `waiting for 4 CPUs in queue etl; ahead: 2 applications`. */
export function waitWords(wait: Wait, nameOf: (application: string) => string): string {
  const { ahead, roomToCome, holders, classes } = wait;
  return [
    reasonOf(wait, nameOf),
    ...classWords(classes),
    ...holders.map(holderWords),
    ...(ahead === 0 ? [] : [`ahead: ${ahead} application${ahead === 1 ? "" : "s"}`]),
    ...(roomToCome ? ["there will be room when executors that were asked to leave are gone"] : []),
  ].join("; ");
}

function reasonOf({ queue, needs, reason, what, classes }: Wait, nameOf: (application: string) => string): string {
  switch (reason.kind) {
    case "capacity":
      return `waiting for ${amountsOf(lacking(needs, reason.left))} in queue ${queue}`;
    case "fragments":
      return `waiting for ${amountsOf(needs)} in queue ${queue}: there is enough in sum, but no node has room for ${what === "start" ? "all of the pods" : "the pod"}`;
    case "kept": {
      const [first, ...more] = reason.inFavourOf.map(nameOf);
      const others = more.length === 0 ? "" : ` and ${more.length} more`;
      const whose = first === undefined ? "others that come first" : `${first}${others}`;
      return `waiting for ${amountsOf(needs)} in queue ${queue}: what is free is kept for ${whose}`;
    }
    case "ceiling":
      return `waiting for ${amountsOf(lacking(needs, reason.left))} in queue ${queue}: the ceiling of queue ${reason.queue} is reached`;
    case "quota":
      return `waiting for room in ResourceQuota ${reason.quota} of its namespace, in queue ${queue}`;
    case "outside":
      if (classes.length > 0)
        return `waiting for ${amountsOf(needs)} in queue ${queue}: no node that is there or may come takes that now`;
      return `waiting for ${amountsOf(needs)} in queue ${queue}: ${limitWords(reason.limit)} is taken up by pods that are not the gateway's, or by nodes that take no pods now`;
    case "never":
      if (classes.length > 0)
        return `asks for ${amountsOf(needs)}, and no node that is there or may come can take that`;
      return `asks for ${amountsOf(needs)}, and that is more than ${limitWords(reason.limit)} can ever give: ask for less, or raise it`;
    case "not-allowed":
      return `its namespace may not use queue ${queue}: ${allowedWords(reason.mayUse)}`;
    case "no-queue":
      return `there is no queue ${queue} that applications can be in: name another with spark.kindling.scheduler.queue, or add it`;
  }
}

/** The names of queues come from the administrator, and there may be many. */
const MOST_QUEUES = 10;

function allowedWords(mayUse: readonly string[]): string {
  if (mayUse.length === 0) return "there is no queue that it may use; ask the administrator of the gateway for one";
  const named = mayUse.slice(0, MOST_QUEUES).join(", ");
  const more = mayUse.length > MOST_QUEUES ? ` and ${mayUse.length - MOST_QUEUES} more` : "";
  return `name one of ${named}${more} with spark.kindling.scheduler.queue`;
}

/** How many classes of nodes are named at most. */
const MOST_CLASSES = 3;

/** Why no new node takes the pod: `NodePool spark is at its limit of 512 CPUs`. */
function classWords(classes: readonly RefusingClass[]): readonly string[] {
  const named = classes.slice(0, MOST_CLASSES).map(({ name, refusal }) => `${name} ${refusalWords(refusal)}`);
  const more = classes.length - named.length;
  return more === 0 ? named : [...named, `${more} other class${more === 1 ? "" : "es"} of nodes do not take it either`];
}

function refusalWords(refusal: ClassRefusal): string {
  switch (refusal.kind) {
    case "label":
      return `has no nodes with the label ${refusal.label} that it asks for`;
    case "taint":
      return `has the taint ${refusal.taint.key}, which it does not tolerate`;
    case "named-node":
      return "adds new nodes, and it asks for a node by its name";
    case "too-large":
      return `has nodes with at most ${amountWords(refusal.resource, refusal.most)}`;
    case "limit":
      return `is at its limit of ${amountWords(refusal.resource, refusal.limit)}`;
    case "unready":
      return `adds no nodes now (${harmlessText(refusal.why, 200)})`;
    case "avoided":
      return `did not give a node for such a pod, and is tried again at ${new Date(refusal.until).toISOString()}`;
  }
}

/** `queue adhoc has 12 CPUs above its guarantee, and its applications may not be asked (preemption: never)` */
function holderWords({ queue, amounts, why }: Holder): string {
  return `queue ${queue} has ${amountsOf(amounts)} above its guarantee, ${WHY[why]}`;
}

const WHY: Readonly<Record<HolderReason, string>> = {
  off: "and nobody is asked to leave here (queues.preemption: false)",
  never: "and its applications may not be asked (preemption: never)",
  graceful: "and its executors cannot leave without losing work (preemption: graceful)",
  loss: "and its executors cannot leave without losing work, and they lose it only for a guarantee",
  share: "which is no more than its share",
  floor: "and its applications have no executors above their floor",
  sets: "and its executors belong to StatefulSets or Deployments, which would make them again",
  "too-little": "and what its applications may be asked for is not enough",
};

function limitWords(limit: Limit): string {
  switch (limit.kind) {
    case "capacity":
      return "the whole capacity";
    case "ceiling":
      return `the ceiling of queue ${limit.queue}`;
    case "quota":
      return `ResourceQuota ${limit.quota}`;
  }
}

/** The needs that are more than what is left; all needs, if none is. */
function lacking(needs: Resources, left: Resources): Resources {
  const scarce = Object.entries(needs).filter(([name, amount]) => name in left && amount > (left[name] ?? 0));
  return scarce.length === 0 ? needs : Object.fromEntries(scarce);
}

/** `4 CPUs and 16Gi of memory`. The number of pods is named only if there is no other amount. */
function amountsOf(resources: Resources): string {
  const entries = Object.entries(resources).filter(([, amount]) => amount > 0);
  const real = entries.filter(([name]) => name !== "pods");
  const words = (real.length === 0 ? entries : real).map(([name, amount]) => amountWords(name, amount));
  const last = words.pop() ?? "room";
  return words.length === 0 ? last : `${words.join(", ")} and ${last}`;
}

function amountWords(name: string, amount: number): string {
  const text = amountText(name, amount);
  if (name === "cpu") return `${text} CPU${text === "1" ? "" : "s"}`;
  if (name === "pods") return `${text} pod${text === "1" ? "" : "s"}`;
  return /^\d+$/.test(text) ? `${text} ${name}` : `${text} of ${name}`;
}
