import { KindlingError, parseQuantity, type PodChanges } from "@kindling/core-spec";
import type { RoleFields } from "../role-fields.ts";

export function resources({ role, fields }: RoleFields): Partial<PodChanges> {
  const { memoryLimit, gpu } = fields;
  return {
    limits: {
      ...(memoryLimit !== undefined && { memory: memoryQuantity(memoryLimit, `spec.${role}.memoryLimit`) }),
      // An entry without a name or an amount counts as none.
      ...(gpu !== undefined && gpu.name !== "" && gpu.quantity > 0 && { [gpu.name]: String(gpu.quantity) }),
    },
  };
}

/**
 * Converts memory in Java's units into a Kubernetes quantity: `512m` and `512mb` are `512Mi`. Other units are Kubernetes'
 * own. Java's units may be capitals, as in Spark; v2.5.2 makes `2GGi` of `2G`, and refuses the pod.
 *
 * @throws KindlingError `CONF_INVALID` for a text that is no amount
 */
function memoryQuantity(text: string, field: string): string {
  const quantity = text.replace(/([kmgtp])b?$/i, (_, unit: string) => `${unit === "k" ? "K" : unit.toUpperCase()}i`);
  if (parseQuantity(quantity) === undefined) {
    throw new KindlingError("CONF_INVALID", `${field}: failed to parse memory limit ${JSON.stringify(text)}`, {
      hint: "write an amount of memory such as 2g, 1536m or 2Gi",
    });
  }
  return quantity;
}
