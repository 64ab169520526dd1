import type { KubeObjectLike } from "@kindling/kube-objects";
import { kubeError } from "../errors/kube-error.ts";
import type { ResourceType } from "../resource-type.ts";

export function nameOf(type: ResourceType, object: KubeObjectLike): string {
  const name = object.metadata?.name;
  checkName(type, name ?? "");
  return name ?? "";
}

/** An empty name would address the whole collection: a delete of it must never be sent. */
export function checkName(type: ResourceType, name: string): void {
  if (name !== "") return;
  throw kubeError({ kind: "config", file: undefined }, `a ${type.kind} without a name cannot be addressed`);
}
