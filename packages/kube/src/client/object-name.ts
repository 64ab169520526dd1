import { kubeError } from "../errors/kube-error.ts";
import type { KubeObject } from "../kube-object.ts";
import type { ResourceType } from "../resource-type.ts";

export function nameOf(type: ResourceType, object: KubeObject): string {
  const name = object.metadata?.name;
  checkName(type, name ?? "");
  return name ?? "";
}

/** An empty name would address the whole collection: a delete of it must never be sent. */
export function checkName(type: ResourceType, name: string): void {
  if (name !== "") return;
  throw kubeError({ kind: "config", file: undefined }, `a ${type.kind} without a name cannot be addressed`);
}
