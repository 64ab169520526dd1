import { isIP } from "node:net";
import type { Pod, PodSpec } from "../../../objects/pod.ts";
import { type FieldError, invalidValue, notSupported, required } from "../field-error.ts";
import { dnsLabel, dnsSubdomain, type NameRule } from "../names.ts";
import { validateLabels } from "../object-meta.ts";
import { validateContainers, validateInitContainers } from "./containers.ts";
import { validateAffinity, validateSchedulingGates, validateTolerations } from "./scheduling.ts";
import { validateVolumes } from "./volumes.ts";

const RESTART_POLICIES = ["Always", "OnFailure", "Never"];
const DNS_POLICIES = ["ClusterFirstWithHostNet", "ClusterFirst", "Default", "None"];
const MAX_INT32 = 2 ** 31 - 1;

/** What is wrong with a pod. */
export function validatePod(pod: Pod): FieldError[] {
  return validatePodSpec(pod.spec, "spec");
}

/** What is wrong with a pod's spec, in the order in which the server looks. */
export function validatePodSpec(spec: PodSpec, path: string): FieldError[] {
  const volumes = spec.volumes ?? [];
  const containers = spec.containers ?? [];
  const errors = [
    ...validateVolumes(volumes, `${path}.volumes`),
    ...validateContainers(containers, volumes, `${path}.containers`),
    ...validateInitContainers(spec.initContainers ?? [], containers, volumes, `${path}.initContainers`),
    ...validateHostNetworkPorts(spec, path),
  ];
  if (!RESTART_POLICIES.includes(spec.restartPolicy)) {
    errors.push(notSupported(`${path}.restartPolicy`, spec.restartPolicy, RESTART_POLICIES));
  }
  if (!DNS_POLICIES.includes(spec.dnsPolicy))
    errors.push(notSupported(`${path}.dnsPolicy`, spec.dnsPolicy, DNS_POLICIES));
  errors.push(...validateLabels(spec.nodeSelector, `${path}.nodeSelector`));
  if (spec.affinity !== undefined) errors.push(...validateAffinity(spec.affinity, `${path}.affinity`));
  errors.push(...validateSchedulingGates(spec.schedulingGates ?? [], `${path}.schedulingGates`));
  errors.push(...validateName(spec.serviceAccountName, dnsSubdomain, `${path}.serviceAccountName`));
  errors.push(...validateName(spec.nodeName, dnsSubdomain, `${path}.nodeName`));
  const deadline = spec.activeDeadlineSeconds;
  if (deadline !== undefined && (deadline < 1 || deadline > MAX_INT32)) {
    errors.push(
      invalidValue(`${path}.activeDeadlineSeconds`, deadline, `must be between 1 and ${MAX_INT32}, inclusive`),
    );
  }
  errors.push(...validateName(spec.hostname, dnsLabel, `${path}.hostname`));
  errors.push(...validateName(spec.subdomain, dnsLabel, `${path}.subdomain`));
  errors.push(...validateTolerations(spec.tolerations ?? [], `${path}.tolerations`));
  errors.push(...validateHostAliases(spec.hostAliases ?? [], `${path}.hostAliases`));
  errors.push(...validateName(spec.priorityClassName, dnsSubdomain, `${path}.priorityClassName`));
  return errors;
}

function validateName(value: string | undefined, rule: NameRule, path: string): FieldError[] {
  if (value === undefined || value === "") return [];
  return rule(value).map((why) => invalidValue(path, value, why));
}

function validateHostNetworkPorts(spec: PodSpec, path: string): FieldError[] {
  if (spec.hostNetwork !== true) return [];
  return (spec.containers ?? []).flatMap((container, index) =>
    (container.ports ?? []).flatMap(({ hostPort = 0, containerPort }, position) => {
      if (hostPort === 0 || hostPort === containerPort) return [];
      const at = `${path}.containers[${index}].ports[${position}].hostPort`;
      return [invalidValue(at, hostPort, "must match `containerPort` when `hostNetwork` is true")];
    }),
  );
}

function validateHostAliases(aliases: NonNullable<PodSpec["hostAliases"]>, path: string): FieldError[] {
  return aliases.flatMap(({ ip, hostnames }, index) => {
    const errors: FieldError[] = [];
    if (ip === "") errors.push(required(`${path}[${index}].ip`));
    else if (isIP(ip) === 0) {
      errors.push(
        invalidValue(`${path}[${index}].ip`, ip, "must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)"),
      );
    }
    (hostnames ?? []).forEach((name, position) => {
      errors.push(
        ...dnsSubdomain(name).map((why) => invalidValue(`${path}[${index}].hostnames[${position}]`, name, why)),
      );
    });
    return errors;
  });
}
