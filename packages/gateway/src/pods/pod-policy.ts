import { isObject, type JsonObject, type KubeObject } from "@kindling/api-server";
import { objectAt, objectsAt, textAt, textsAt } from "../json/fields.ts";

const CONTAINER_LISTS = ["initContainers", "containers", "ephemeralContainers"] as const;

/**
 * What an executor pod has that the driver's pod has not, and that gives power over the node or over other accounts.
 * Whoever let the driver's pod in has allowed the same to its executors, and no more. Empty for a pod that is allowed.
 *
 * @param executor as the driver asks for it, in any shape
 * @param driver as the cluster has it
 */
export function excessOf(executor: KubeObject, driver: KubeObject): string[] {
  const allowed = new Set(privilegesOf(driver));
  return [...new Set(privilegesOf(executor))].filter((privilege) => !allowed.has(privilege));
}

/** In the words of messages. */
function privilegesOf(pod: KubeObject): string[] {
  return [
    ...namespacesOfHost(pod),
    ...volumesOfHost(pod),
    ...accountsOf(pod),
    ...CONTAINER_LISTS.flatMap((list) => objectsAt(pod, "spec", list)).flatMap(privilegesOfContainer),
  ];
}

function namespacesOfHost(pod: KubeObject): string[] {
  const spec = objectAt(pod, "spec");
  return ["hostNetwork", "hostPID", "hostIPC"].filter((name) => spec[name] === true);
}

function volumesOfHost(pod: KubeObject): string[] {
  return objectsAt(pod, "spec", "volumes")
    .filter((volume) => isObject(volume["hostPath"]))
    .map((volume) => `a hostPath volume of ${textAt(volume, "hostPath", "path") ?? "no path"}`);
}

/** A pod that names no account has the namespace's default one. */
function accountsOf(pod: KubeObject): string[] {
  const spec = objectAt(pod, "spec");
  const name = textAt(spec, "serviceAccountName") ?? textAt(spec, "serviceAccount") ?? "default";
  const tokens = objectsAt(spec, "volumes").some((volume) =>
    objectsAt(volume, "projected", "sources").some((source) => isObject(source["serviceAccountToken"])),
  );
  // Executors get no account unless Spark is told to: without a token, the default one opens nothing.
  const isHarmless = name === "default" && !tokens;
  return isHarmless ? [] : [`service account ${name}`];
}

function privilegesOfContainer(container: JsonObject): string[] {
  const context = objectAt(container, "securityContext");
  const added = textsAt(context, "capabilities", "add").map((name) => `the capability ${name}`);
  const ports = objectsAt(container, "ports").some(({ hostPort }) => typeof hostPort === "number" && hostPort > 0);
  return [
    ...(context["privileged"] === true ? ["a privileged container"] : []),
    ...added,
    ...(ports ? ["a hostPort"] : []),
  ];
}
