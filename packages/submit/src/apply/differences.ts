import { parseProperties, type ConfigMap, type KubernetesResource, type Pod } from "@kindling/core-spec";
import { resources, type KubeClient } from "@kindling/kube";
import { PROPERTIES_FILE, type DriverObjects } from "@kindling/steps";
import type { CreatedPod } from "../cluster/created-pod.ts";
import type { Pod as LivePod } from "kubernetes-types/core/v1.js";
import { redact } from "../secrets/redact.ts";

/** This differs in each submission. */
const OWN_TO_EACH: ReadonlySet<string> = new Set(["spark.app.submitTime"]);

/**
 * How an existing application differs from the one that was asked for with the same submission id: one line for each
 * difference, without secrets. The application is submitted whether it can be compared or not: if something cannot be read,
 * it counts as equal.
 */
export async function differences(
  client: KubeClient,
  { pod, resources: planned }: DriverObjects,
  { namespace, name }: Pick<CreatedPod, "namespace" | "name">,
): Promise<string[]> {
  const map = planned.find(isDriverConfiguration);
  try {
    const [live, liveMap] = await Promise.all([
      client.get(resources.pods, name, { namespace }),
      map && client.get(resources.configmaps, map.metadata.name, { namespace }),
    ]);
    return [
      ...(map === undefined || liveMap === undefined ? [] : ofProperties(liveMap.data ?? {}, map.data ?? {})),
      ...ofContainers(live, pod),
    ];
  } catch {
    return [];
  }
}

function isDriverConfiguration(object: KubernetesResource): object is ConfigMap {
  return object.kind === "ConfigMap" && PROPERTIES_FILE in ((object as ConfigMap).data ?? {});
}

type Data = Readonly<Record<string, string>>;

function ofProperties(there: Data, wanted: Data): string[] {
  const before = parseProperties(there[PROPERTIES_FILE] ?? "");
  const after = parseProperties(wanted[PROPERTIES_FILE] ?? "");
  const [shownBefore, shownAfter] = [redact(before), redact(after)];
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])].toSorted();
  return keys
    .filter((key) => !OWN_TO_EACH.has(key) && before[key] !== after[key])
    .map((key) => difference(key, shownBefore[key], shownAfter[key]));
}

/** The image and the arguments of the running containers. */
function ofContainers(there: LivePod, wanted: Pod): string[] {
  return (wanted.spec?.containers ?? []).flatMap(({ name, image, args = [] }) => {
    const live = there.spec?.containers?.find((container) => container.name === name);
    if (live === undefined) return [];
    const [before, after] = [live.args ?? [], args].map((words) => words.join(" "));
    return [
      ...(live.image === image ? [] : [difference("the image", live.image, image)]),
      // The arguments belong to the application and may contain anything.
      ...(before === after ? [] : ["the application or its arguments differ"]),
    ];
  });
}

function difference(what: string, before: string | undefined, after: string | undefined): string {
  // Both are secrets, which are shown in the same way.
  if (before === after) return `${what} differs`;
  return `${what} is ${before ?? "not set"} there, and would be ${after ?? "not set"}`;
}
