import { jsonEqual } from "@kindling/kube-objects";
import { type FieldError, forbiddenField } from "@kindling/api-server";
import type { Container, Pod, PodSpec, Toleration } from "../../objects/pod.ts";
import { validatePod } from "./pod-spec.ts";

const CHANGEABLE =
  "`spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)";

/** What is wrong with an update of a pod: little of its spec may change. */
export function validatePodUpdate(next: Pod, current: Pod): FieldError[] {
  const errors = validatePod(next);
  for (const list of ["containers", "initContainers"] as const) {
    const [now, before] = [next.spec[list] ?? [], current.spec[list] ?? []];
    if (now.length !== before.length) {
      errors.push(forbiddenField(`spec.${list}`, "pod updates may not add or remove containers"));
      return errors;
    }
  }
  errors.push(...onlyAddedTolerations(next.spec, current.spec), ...onlyRemovedGates(next.spec, current.spec));
  if (!jsonEqual(withOldChangeables(next.spec, current.spec), current.spec)) {
    errors.push(forbiddenField("spec", `pod updates may not change fields other than ${CHANGEABLE}`));
  }
  return errors;
}

function onlyAddedTolerations(next: PodSpec, current: PodSpec): FieldError[] {
  const withoutTime = ({ tolerationSeconds: _seconds, ...rest }: Toleration): object => rest;
  const now = (next.tolerations ?? []).map(withoutTime);
  const lost = (current.tolerations ?? []).some((old) => !now.some((one) => jsonEqual(one, withoutTime(old))));
  if (!lost) return [];
  return [forbiddenField("spec.tolerations", "existing toleration can not be modified except its tolerationSeconds")];
}

function onlyRemovedGates(next: PodSpec, current: PodSpec): FieldError[] {
  const before = new Set((current.schedulingGates ?? []).map(({ name }) => name));
  return (next.schedulingGates ?? []).flatMap(({ name }, index) => {
    const why = `only deletion is allowed, but found new scheduling gate '${name}'`;
    return before.has(name) ? [] : [forbiddenField(`spec.schedulingGates[${index}].name`, why)];
  });
}

// The new spec with the old values of all fields that may change: any remaining difference is not allowed.
function withOldChangeables(next: PodSpec, current: PodSpec): PodSpec {
  const images = (containers: Container[] | null | undefined, old: Container[] | null | undefined): Container[] =>
    (containers ?? []).map((container, index) => {
      const image = old?.[index]?.image;
      return image === undefined ? container : { ...container, image };
    });
  const gated = (current.schedulingGates ?? []).length > 0;
  const result: PodSpec = { ...next, containers: images(next.containers, current.containers) };
  if (next.initContainers !== undefined) result.initContainers = images(next.initContainers, current.initContainers);
  const keep = ["activeDeadlineSeconds", "schedulingGates", "tolerations"] as const;
  for (const field of [...keep, ...(gated ? (["nodeSelector", "affinity"] as const) : [])]) {
    if (current[field] === undefined) delete result[field];
    else Object.assign(result, { [field]: current[field] });
  }
  return result;
}
