import type { KubernetesResource, Pod } from "@kindling/core-spec";
import { redactObject, type DriverObjects, type Redaction } from "@kindling/submit";
import { formatJson } from "@kindling/command-line";
import { printObjects } from "./print-objects.ts";
import type { Output } from "@kindling/command-line";

export interface PrintPlanOptions {
  readonly format: "yaml" | "json";
  /** How secrets are taken out; they are shown if unset. */
  readonly redaction: Redaction | undefined;
}

/** Prints the objects of a submission, in the order in which `kubectl apply` may create them. */
export async function printPlan(
  objects: readonly (Pod | KubernetesResource)[],
  { format, redaction }: PrintPlanOptions,
  output: Output,
): Promise<void> {
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
export function inOrder({ preResources, resources, pod }: DriverObjects): (KubernetesResource | Pod)[] {
  return [...preResources, ...resources, pod];
}
