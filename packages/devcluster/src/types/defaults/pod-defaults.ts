import type { Container, Pod, PodSpec } from "../../objects/pod.ts";

/** Fills in defaults that the schema's constants do not cover. */
export function setPodDefaults(pod: Pod): void {
  setPodSpecDefaults(pod.spec);
  pod.spec.enableServiceLinks ??= true;
  for (const container of allContainers(pod.spec)) setRequestsFromLimits(container);
}

/** The part of the defaults that pod templates have as well. */
export function setPodSpecDefaults(spec: PodSpec): void {
  for (const container of allContainers(spec)) setContainerDefaults(container);
  for (const volume of spec.volumes ?? []) {
    const hasSource = Object.keys(volume).some((key) => key !== "name");
    if (!hasSource) volume.emptyDir = {};
    const claim = volume.ephemeral?.volumeClaimTemplate?.spec;
    if (claim !== undefined) claim["volumeMode"] ??= "Filesystem";
  }
  // The old field of the account always has the same value as the new one.
  const account = spec.serviceAccountName ?? spec.serviceAccount;
  if (account !== undefined) {
    spec.serviceAccountName = account;
    spec.serviceAccount = account;
  }
  if ((spec.terminationGracePeriodSeconds ?? 0) < 0) spec.terminationGracePeriodSeconds = 1;
  if (spec.hostNetwork === true) {
    for (const container of allContainers(spec)) {
      for (const port of container.ports ?? []) port.hostPort ??= port.containerPort;
    }
  }
}

function allContainers(spec: PodSpec): Container[] {
  return [...(spec.initContainers ?? []), ...(spec.containers ?? [])];
}

function setContainerDefaults(container: Container): void {
  if ((container.imagePullPolicy ?? "") === "") container.imagePullPolicy = defaultPullPolicy(container.image ?? "");
}

/** Images that may change under the same name are pulled each time. */
function defaultPullPolicy(image: string): string {
  if (image.includes("@")) return "IfNotPresent";
  const name = image.slice(image.lastIndexOf("/") + 1);
  const tag = name.includes(":") ? name.slice(name.indexOf(":") + 1) : "latest";
  return tag === "latest" ? "Always" : "IfNotPresent";
}

function setRequestsFromLimits({ resources }: Container): void {
  for (const [name, limit] of Object.entries(resources.limits ?? {})) {
    if (resources.requests?.[name] === undefined) resources.requests = { ...resources.requests, [name]: limit };
  }
}
