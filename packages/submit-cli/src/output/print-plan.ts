import type { KubernetesResource, Pod } from "@kindling/core-spec";
import type { Prepared } from "../plan/prepare.ts";
import { formatObject } from "./format-object.ts";
import type { Output } from "./terminal.ts";

/** Prints the objects of a submission, in the order in which `kubectl apply` may create them. */
export async function printPlan(
  prepared: Prepared,
  { format, executor }: { readonly format: "yaml" | "json"; readonly executor: boolean },
  output: Output,
): Promise<void> {
  const objects = executor
    ? (await import("../plan/plan-executor.ts")).planExecutor(prepared).objects
    : driverList(prepared);
  if (format === "json") {
    output.out(await formatObject({ apiVersion: "v1", kind: "List", items: objects }, "json"));
  } else {
    const { formatYaml } = await import("./format-yaml.ts");
    output.out(formatYaml(objects));
  }
}

/**
 * What the pod needs comes before it, so that it finds it. There are no ownerReferences: they need the uid that the pod
 * will get.
 */
function driverList({ plan }: Prepared): (KubernetesResource | Pod)[] {
  const { preResources, resources, pod } = plan.objects;
  return [...preResources, ...resources, pod];
}
