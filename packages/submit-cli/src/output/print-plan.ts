import type { KubernetesResource, Pod } from "@kindling/core-spec";
import { type Prepared, type Redaction, redactObject } from "@kindling/submit";
import { formatJson } from "@kindling/command-line";
import { printObjects } from "./print-objects.ts";
import type { Output } from "@kindling/command-line";

export interface PrintPlanOptions {
  readonly format: "yaml" | "json";
  readonly executor: boolean;
  /** How secrets are taken out; they are shown if unset. */
  readonly redaction: Redaction | undefined;
}

/** Prints the objects of a submission, in the order in which `kubectl apply` may create them. */
export async function printPlan(
  prepared: Prepared,
  { format, executor, redaction }: PrintPlanOptions,
  output: Output,
): Promise<void> {
  const objects = executor ? (await import("@kindling/submit")).planExecutor(prepared).objects : driverList(prepared);
  const shown = redaction === undefined ? objects : objects.map((object) => redactObject(object, redaction));
  const text =
    format === "json"
      ? formatJson({ apiVersion: "v1", kind: "List", items: shown })
      : (await import("@kindling/command-line/yaml")).formatYaml(shown);
  printObjects(text, { format, isRedacted: redaction !== undefined }, output);
}

/**
 * What the pod needs comes before it, so that it finds it. There are no ownerReferences: they need the uid that the pod
 * will get.
 */
function driverList({ plan }: Prepared): (KubernetesResource | Pod)[] {
  const { preResources, resources, pod } = plan.objects;
  return [...preResources, ...resources, pod];
}
