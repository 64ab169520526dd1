import { isObject, type Json, type JsonObject, type KubeObject } from "@kindling/api-server";
import { objectAt, objectsAt, textAt, textsAt } from "../json/fields.ts";
import { allowanceOf } from "./allowance.ts";
import { CONTAINER_LISTS } from "./containers.ts";
import { secretsOf } from "./secrets-of.ts";

/**
 * What an executor pod has that the driver's pod has not, and that gives power over the node, over other accounts, over
 * who comes first, or knowledge of Secrets. Whoever let the driver's pod in has allowed the same to its executors, and
 * no more but what the pod says (see `allowance.ts`). Empty for a pod that is allowed.
 *
 * @param executor as the driver asks for it, in any shape
 * @param driver as the cluster has it
 */
export function excessOf(executor: KubeObject, driver: KubeObject): string[] {
  const allowed = new Set([...privilegesOf(driver), ...privilegesOf(allowanceOf(driver))]);
  return [...new Set(privilegesOf(executor))].filter((privilege) => !allowed.has(privilege));
}

/** In the words of messages. */
function privilegesOf(pod: KubeObject): string[] {
  const containers = CONTAINER_LISTS.flatMap((list) => objectsAt(pod, "spec", list));
  return [
    ...namespacesOfHost(pod),
    ...volumesOfHost(pod),
    ...accountsOf(pod),
    ...containers.flatMap(privilegesOfContainer),
    ...secretsIn(objectsAt(pod, "spec", "volumes")),
    ...containers.flatMap(({ env, envFrom }) => secretsIn([env ?? null, envFrom ?? null])),
    ...placesOf(pod),
  ];
}

function secretsIn(part: Json): string[] {
  return secretsOf(part).map((name) => `the Secret ${name}`);
}

/** Which nodes it may be on, and whom it may push away from them. */
function placesOf(pod: KubeObject): string[] {
  const spec = objectAt(pod, "spec");
  const node = textAt(spec, "nodeName");
  const priority = textAt(spec, "priorityClassName");
  return [
    ...(node === undefined ? [] : [`the node name ${node}`]),
    ...Object.entries(objectAt(spec, "nodeSelector")).map(
      ([key, value]) => `the node selector ${key}=${String(value)}`,
    ),
    ...(priority === undefined ? [] : [`the priority class ${priority}`]),
    ...objectsAt(spec, "tolerations").map(tolerationText),
  ];
}

function tolerationText(toleration: JsonObject): string {
  const taint = textAt(toleration, "key") ?? "every taint";
  const value = textAt(toleration, "value");
  const effect = textAt(toleration, "effect");
  return `the toleration of ${taint}${value === undefined ? "" : `=${value}`}${effect === undefined ? "" : `:${effect}`}`;
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
