import { isObject, type Json, type JsonObject } from "@kindling/kube-objects";
import type { Random } from "@kindling/test-kit/random";

/** Values that have caused faults before. */
const ODD_VALUES: readonly Json[] = [
  ...[null, true, 0, -1, 1e300, 2 ** 53, "", "a".repeat(300), "../..", "\u0000", "\ud800", "__proto__", [], {}, [[]]],
  ...["999999999999999999999", "1e9", "-5", "100m", "1Ei", "{}", "*", "EXECID", "kube-system"],
];

/** Members that a driver may not write, or only with other values. */
function hostileMembers(random: Random, names: readonly string[]): JsonObject {
  const name = random.pick(names);
  return random.pick<JsonObject>([
    { annotations: { "gateway.kindling/set": `statefulsets/${name}`, "gateway.kindling/driver": name } },
    { annotations: { "gateway.kindling/uid": name, "gateway.kindling/request": name } },
    { annotations: { "gateway.kindling/early": "true", "scheduler.kindling/executor-allowance": "{}" } },
    { labels: { "spark-app-selector": name, "spark-role": random.pick(["driver", "executor"]) } },
    { labels: { app: name, "scheduler.kindling/queue": name, "scheduler.kindling/gateway": "true" } },
    { finalizers: ["kindling.test/keep"] },
    { deletionTimestamp: "2020-01-01T00:00:00Z", deletionGracePeriodSeconds: 0 },
    { ownerReferences: [{ apiVersion: "v1", kind: "Pod", name, uid: random.pick(names) }] },
    {
      ownerReferences: [
        { apiVersion: "apps/v1", kind: "StatefulSet", name, uid: random.pick(names), controller: true },
      ],
    },
    { ownerReferences: [] },
    { generateName: name, name: "" },
    { name },
    { namespace: random.pick(["kube-system", "elsewhere", "spark-jobs"]) },
    { uid: random.pick(names), resourceVersion: "1" },
    { schedulingGates: [{ name: "gateway.kindling/objects" }] },
    { nodeName: "node-0", hostNetwork: true, serviceAccountName: "default", priorityClassName: "high" },
    { resources: { requests: { cpu: "64" } }, overhead: { cpu: "64" } },
    { replicas: 100_000 },
    { volumes: [{ name: "v", persistentVolumeClaim: { claimName: name } }] },
    { volumes: [{ name: "v", configMap: { name } }] },
    { initContainers: [{ name: "i", image: "spark", restartPolicy: "Always" }] },
    { selector: { matchLabels: { "spark-app-selector": name } } },
    { priority: 1_000_000, tolerations: [{ operator: "Exists" }] },
  ]);
}

/**
 * A value with one change: another text, a member more or less, or a duplicate item.
 *
 * @param names of objects of other drivers
 */
export function changedJson(random: Random, value: Json, names: readonly string[]): Json {
  if (Array.isArray(value)) {
    if (value.length === 0 || random.chance(0.15)) return [...value, ...value, random.pick(ODD_VALUES)];
    const index = random.below(value.length);
    return value.map((item, at) => (at === index ? changedJson(random, item, names) : item));
  }
  if (isObject(value)) return changedObject(random, value, names);
  if (random.chance(0.5)) return random.pick(names);
  return random.pick(ODD_VALUES);
}

function changedObject(random: Random, value: JsonObject, names: readonly string[]): JsonObject {
  const members = Object.entries(value);
  const [name, member] = members.length === 0 ? [] : random.pick(members);
  if (name === undefined || member === undefined || random.chance(0.25)) {
    return { ...value, ...hostileMembers(random, names) };
  }
  if (random.chance(0.1)) return Object.fromEntries(members.filter(([other]) => other !== name));
  if (random.chance(0.05)) return { ...value, [random.pick(names)]: member };
  return { ...value, [name]: changedJson(random, member, names) };
}
