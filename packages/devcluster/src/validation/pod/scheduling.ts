import type { Affinity, NodeSelectorTerm, PodSpec, Toleration } from "../../../objects/pod.ts";
import { type FieldError, duplicate, forbiddenField, invalidValue, notSupported, required } from "../field-error.ts";
import { labelValue, qualifiedName } from "../names.ts";

const EFFECTS = ["NoSchedule", "PreferNoSchedule", "NoExecute"];

/** What is wrong with tolerations. */
export function validateTolerations(tolerations: readonly Toleration[], path: string): FieldError[] {
  return tolerations.flatMap((toleration, index) => {
    const at = `${path}[${index}]`;
    const { key = "", operator = "", value = "", effect = "", tolerationSeconds } = toleration;
    const errors: FieldError[] = [];
    if (key !== "") errors.push(...qualifiedName(key).map((why) => invalidValue(`${at}.key`, key, why)));
    if (key === "" && operator !== "Exists") {
      const why = 'operator must be Exists when `key` is empty, which means "match all values and all keys"';
      errors.push(invalidValue(`${at}.operator`, operator, why));
    }
    if (tolerationSeconds !== undefined && effect !== "NoExecute") {
      errors.push(invalidValue(`${at}.effect`, effect, "effect must be 'NoExecute' when `tolerationSeconds` is set"));
    }
    if (operator === "" || operator === "Equal") {
      const problems = labelValue(value);
      if (problems.length > 0) errors.push(invalidValue(`${at}.operator`, value, problems.join(";")));
    } else if (operator === "Exists") {
      if (value !== "")
        errors.push(invalidValue(`${at}.operator`, value, "value must be empty when `operator` is 'Exists'"));
    } else {
      errors.push(notSupported(`${at}.operator`, operator, ["Equal", "Exists"]));
    }
    if (effect !== "" && !EFFECTS.includes(effect)) errors.push(notSupported(`${at}.effect`, effect, EFFECTS));
    return errors;
  });
}

/** What is wrong with node affinity. */
export function validateAffinity({ nodeAffinity }: Affinity, path: string): FieldError[] {
  if (nodeAffinity === undefined) return [];
  const errors: FieldError[] = [];
  const needed = nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution;
  const neededPath = `${path}.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms`;
  if (needed !== undefined) {
    const terms = needed.nodeSelectorTerms ?? [];
    if (terms.length === 0) errors.push(required(neededPath, "must have at least one node selector term"));
    errors.push(...terms.flatMap((term, index) => validateTerm(term, `${neededPath}[${index}]`)));
  }
  const wished = nodeAffinity.preferredDuringSchedulingIgnoredDuringExecution ?? [];
  const wishedPath = `${path}.nodeAffinity.preferredDuringSchedulingIgnoredDuringExecution`;
  wished.forEach(({ weight, preference }, index) => {
    if (weight <= 0 || weight > 100)
      errors.push(invalidValue(`${wishedPath}[${index}].weight`, weight, "must be in the range 1-100"));
    errors.push(...validateTerm(preference, `${wishedPath}[${index}].preference`));
  });
  return errors;
}

function validateTerm(term: NodeSelectorTerm, path: string): FieldError[] {
  return (term.matchExpressions ?? []).flatMap(({ key, operator, values = [] }, index) => {
    const at = `${path}.matchExpressions[${index}]`;
    const errors: FieldError[] = [];
    if ((operator === "In" || operator === "NotIn") && values.length === 0) {
      errors.push(required(`${at}.values`, "must be specified when `operator` is 'In' or 'NotIn'"));
    } else if ((operator === "Exists" || operator === "DoesNotExist") && values.length > 0) {
      errors.push(forbiddenField(`${at}.values`, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'"));
    } else if ((operator === "Gt" || operator === "Lt") && values.length !== 1) {
      errors.push(required(`${at}.values`, "must be specified single value when `operator` is 'Lt' or 'Gt'"));
    } else if (!["In", "NotIn", "Exists", "DoesNotExist", "Gt", "Lt"].includes(operator)) {
      errors.push(invalidValue(`${at}.operator`, operator, "not a valid selector operator"));
    }
    errors.push(...qualifiedName(key).map((why) => invalidValue(`${at}.key`, key, why)));
    return errors;
  });
}

/** What is wrong with scheduling gates. */
export function validateSchedulingGates(gates: NonNullable<PodSpec["schedulingGates"]>, path: string): FieldError[] {
  const names = new Set<string>();
  return gates.flatMap(({ name }, index) => {
    const errors = qualifiedName(name).map((why) => invalidValue(`${path}[${index}]`, name, why));
    if (names.has(name)) errors.push(duplicate(`${path}[${index}]`, name));
    names.add(name);
    return errors;
  });
}
