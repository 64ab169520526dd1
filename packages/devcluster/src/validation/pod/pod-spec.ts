import type { Pod, PodSpec } from "../../objects/pod.ts";
import {
  dnsLabel,
  dnsSubdomain,
  type FieldError,
  invalidValue,
  type NameRule,
  notSupported,
  validateLabels,
} from "@kindling/api-server";
import { validateContainers, validateInitContainers } from "./containers.ts";
import { validateTolerations } from "./tolerations.ts";
import { validateVolumes } from "./volumes.ts";

const RESTART_POLICIES = ["Always", "OnFailure", "Never"];
const DNS_POLICIES = ["ClusterFirstWithHostNet", "ClusterFirst", "Default", "None"];

/** What is wrong with a pod. */
export function validatePod(pod: Pod): FieldError[] {
  return validatePodSpec(pod.spec, "spec");
}

/** What is wrong with a pod's spec, in the order in which the server checks. */
export function validatePodSpec(spec: PodSpec, path: string): FieldError[] {
  const volumes = spec.volumes ?? [];
  const containers = spec.containers ?? [];
  const errors = [
    ...validateVolumes(volumes, `${path}.volumes`),
    ...validateContainers(containers, volumes, `${path}.containers`),
    ...validateInitContainers(spec.initContainers ?? [], containers, volumes, `${path}.initContainers`),
  ];
  if (!RESTART_POLICIES.includes(spec.restartPolicy)) {
    errors.push(notSupported(`${path}.restartPolicy`, spec.restartPolicy, RESTART_POLICIES));
  }
  if (!DNS_POLICIES.includes(spec.dnsPolicy))
    errors.push(notSupported(`${path}.dnsPolicy`, spec.dnsPolicy, DNS_POLICIES));
  errors.push(...validateLabels(spec.nodeSelector, `${path}.nodeSelector`));
  errors.push(...validateName(spec.serviceAccountName, dnsSubdomain, `${path}.serviceAccountName`));
  errors.push(...validateName(spec.nodeName, dnsSubdomain, `${path}.nodeName`));
  errors.push(...validateName(spec.hostname, dnsLabel, `${path}.hostname`));
  errors.push(...validateName(spec.subdomain, dnsLabel, `${path}.subdomain`));
  errors.push(...validateTolerations(spec.tolerations ?? [], `${path}.tolerations`));
  errors.push(...validateName(spec.priorityClassName, dnsSubdomain, `${path}.priorityClassName`));
  return errors;
}

function validateName(value: string | undefined, rule: NameRule, path: string): FieldError[] {
  if (value === undefined || value === "") return [];
  return rule(value).map((why) => invalidValue(path, value, why));
}
