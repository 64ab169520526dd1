import { apiVersionOf, type JsonObject, type KubeObject, qualifiedResource } from "@kindling/kube-objects";
import { FieldSet } from "../managed-fields/field-set.ts";
import { type DecodeOptions, decode } from "../schema/decode.ts";
import type { StructType } from "../schema/types.ts";
import { type Columns, createdAtColumns } from "../table/columns.ts";
import { dnsSubdomain } from "../name-rules/names.ts";
import { decodeOpen, openType } from "./open-object.ts";
import { ALL_VERBS, type ResourceRules, type ResourceType, type Subresource, type Verb } from "./resource-type.ts";

/** The definition of a resource; members that are left out have the most common value. */
export interface ResourceDefinition {
  readonly group?: string;
  readonly version?: string;
  readonly kind: string;
  /** The plural, if it is not the kind in lower case with an `s`. */
  readonly plural?: string;
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  /** Whether the objects are namespaced: most are. */
  readonly namespaced?: boolean;
  readonly verbs?: readonly Verb[];
  /** Whether there is a status that only the subresource `status` can write. */
  readonly status?: boolean;
  readonly subresources?: readonly Subresource[];
  readonly columns?: Columns;
  readonly rules?: Partial<ResourceRules>;
}

/**
 * Makes a resource that can be served.
 *
 * @param type the fields of its objects (see `parseSchema`); without it, objects may have any fields, and neither protobuf
 * nor strategic merge patches are understood, as with custom resources
 */
export function defineResource(definition: ResourceDefinition, type?: StructType): ResourceType {
  const { group = "", version = "v1", kind, rules = {} } = definition;
  const complete: ResourceRules = {
    nameRule: dnsSubdomain,
    generation: false,
    createOnUpdate: false,
    unconditionalUpdate: true,
    returnsDeleted: false,
    ...rules,
  };
  const singular = kind.toLowerCase();
  const plural = definition.plural ?? `${singular}s`;
  const apiVersion = apiVersionOf({ group, version });
  const status: Subresource[] =
    definition.status === true ? [{ name: "status", verbs: ["get", "patch", "update"] }] : [];
  return {
    group,
    version,
    kind,
    plural,
    singular,
    shortNames: definition.shortNames ?? [],
    categories: definition.categories ?? [],
    namespaced: definition.namespaced ?? true,
    type: type ?? openType(kind),
    strategicPatch: type !== undefined,
    verbs: definition.verbs ?? ALL_VERBS,
    subresources: [...status, ...(definition.subresources ?? [])],
    columns: definition.columns ?? createdAtColumns,
    rules: complete,
    decode(body: JsonObject, options: DecodeOptions): KubeObject {
      const object =
        type === undefined
          ? decodeOpen({ apiVersion, kind }, body, options)
          : (decode(type, body, options) as KubeObject);
      if (options.defaults) complete.setDefaults?.(object);
      return object;
    },
    empty: type === undefined ? {} : decode(type, {}, { defaults: false }),
    resetFields: (subresource) => resetFields(definition.status === true, subresource),
    storageKey: qualifiedResource({ group, resource: plural }),
    apiVersion,
  };
}

const STATUS = new FieldSet(["f:status"]);
const SPEC_AND_OWNERS = new FieldSet(
  ["f:spec"],
  [["f:metadata", new FieldSet(["f:deletionTimestamp", "f:ownerReferences"])]],
);

function resetFields(hasStatus: boolean, subresource: string): FieldSet | undefined {
  if (!hasStatus) return undefined;
  return subresource === "status" ? SPEC_AND_OWNERS : STATUS;
}
