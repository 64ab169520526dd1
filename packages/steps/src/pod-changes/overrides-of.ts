import type { PodChanges } from "@kindling/core-spec";

/** The fields that the changes set even if they are set already, in the form of a step's declaration. */
export function overridesOf(changes: PodChanges, role: "driver" | "executor"): string[] {
  const spec = `${role}Pod.spec`;
  const container = `${role}Container`;
  return [
    ...[...Object.keys(changes.spec), ...changes.cleared].map((field) => `${spec}.${field}`),
    ...Object.keys(changes.nodeSelector).map((label) => `${spec}.nodeSelector${member(label)}`),
    ...Object.keys(changes.container).map((field) => `${container}.${field}`),
    ...Object.keys(changes.limits).map((resource) => `${container}.resources.limits${member(resource)}`),
  ];
}

/** How a path of a step names an entry of a map. */
function member(key: string): string {
  return /^[A-Za-z_][\w-]*$/.test(key) ? `.${key}` : `[${key}]`;
}
