import type { Toleration } from "../../objects/pod.ts";
import { type FieldError, invalidValue, labelValue, notSupported, qualifiedName } from "@kindling/api-server";

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
