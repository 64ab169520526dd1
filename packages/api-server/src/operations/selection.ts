import type { KubeObject } from "@kindling/kube-objects";
import type { ResourceType } from "../resources/resource-type.ts";
import { type FieldRequirement, meetsFields, parseFieldSelector } from "../selectors/field-selector.ts";
import { type LabelSelector, parseLabelSelector } from "../selectors/label-selector.ts";
import type { Api } from "./api.ts";

/** The objects of a resource that a list, a watch or a deletion selects. */
export interface Selection {
  readonly namespace: string | undefined;
  /** Set if the selection is a single name; then it is a look-up. */
  readonly name: string | undefined;
  readonly matches: (object: KubeObject) => boolean;
  /** Whether `matches` is true of every object, so that changes of labels cannot move an object in or out. */
  readonly everything: boolean;
}

/**
 * Reads the selectors of a request. Objects that the client does not see are not selected.
 *
 * @throws ApiError 400 for selectors that are invalid or not supported.
 */
export function parseSelection(
  api: Api,
  type: ResourceType,
  namespace: string | undefined,
  labelText: string,
  fieldText: string,
): Selection {
  const labels = labelText === "" ? undefined : parseLabelSelector(labelText);
  const fields = fieldText === "" ? [] : parseFieldSelector(fieldText, supportedFields(type));
  return {
    namespace,
    name: fields.find(({ field, equal }) => field === "metadata.name" && equal)?.value,
    matches: (object) =>
      matchesLabels(labels, object) && matchesFields(type, fields, object) && api.sees?.(type, object) !== false,
    everything: labels === undefined && fields.length === 0 && api.sees === undefined,
  };
}

function matchesLabels(selector: LabelSelector | undefined, object: KubeObject): boolean {
  return selector === undefined || selector(object.metadata.labels);
}

function matchesFields(type: ResourceType, fields: readonly FieldRequirement[], object: KubeObject): boolean {
  if (fields.length === 0) return true;
  const { name, namespace = "" } = object.metadata;
  const base = { "metadata.name": name, ...(type.namespaced ? { "metadata.namespace": namespace } : {}) };
  return meetsFields(fields, { ...base, ...type.rules.selectableFields?.(object) });
}

function supportedFields(type: ResourceType): string[] {
  const empty = {
    kind: type.kind,
    apiVersion: type.apiVersion,
    metadata: { name: "", uid: "", resourceVersion: "", creationTimestamp: "" },
  };
  return ["metadata.name", "metadata.namespace", ...Object.keys(type.rules.selectableFields?.(empty) ?? {})];
}
