import { stringify } from "yaml";

/**
 * Writes objects as documents of one YAML text. Kubernetes' tools read YAML 1.1, so what 1.1 would take for a number or
 * a boolean (`yes`, `012`) is quoted.
 */
export function formatYaml(objects: readonly unknown[]): string {
  return objects
    .map((object) => stringify(object, { version: "1.1", lineWidth: 0, aliasDuplicateObjects: false }))
    .join("---\n");
}
