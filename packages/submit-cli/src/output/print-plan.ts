import { SPARK_APP_ID_LABEL, type KubernetesResource, type Pod } from "@kindling/core-spec";
import { redactObject, type DriverObjects, type Redaction } from "@kindling/submit";
import { formatJson } from "@kindling/command-line";
import { printObjects } from "./print-objects.ts";
import type { Output } from "@kindling/command-line";

export interface PrintPlanOptions {
  readonly format: "yaml" | "json";
  /** How to remove secrets; if unset, they are shown. */
  readonly redaction: Redaction | undefined;
  /** What the user must know before applying the objects: one line each. */
  readonly remarks?: readonly string[];
  readonly comments?: readonly string[];
}

/** Prints the objects of a submission, in the order in which `kubectl apply` may create them. */
export async function printPlan(
  objects: readonly (Pod | KubernetesResource)[],
  { format, redaction, ...lines }: PrintPlanOptions,
  output: Output,
): Promise<void> {
  const shown = redaction === undefined ? objects : objects.map((object) => redactObject(object, redaction));
  const text =
    format === "json"
      ? formatJson({ apiVersion: "v1", kind: "List", items: shown })
      : (await import("@kindling/command-line/yaml")).formatYaml(shown);
  printObjects(text, { format, isRedacted: redaction !== undefined, ...lines }, output);
}

/**
 * The objects that the pod needs come before it. There are no ownerReferences: they need the uid that the pod will get.
 * Instead every object has the application's label, with which all can be deleted.
 */
export function inOrder({ preResources, resources, pod }: DriverObjects, id: string): (KubernetesResource | Pod)[] {
  return [...preResources, ...resources, pod].map((object) => {
    const labels = { ...object.metadata?.labels, [SPARK_APP_ID_LABEL]: id };
    return { ...object, metadata: { ...object.metadata, labels } } as KubernetesResource | Pod;
  });
}
