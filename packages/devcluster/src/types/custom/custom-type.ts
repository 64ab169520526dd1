import { type JsonObject, isObject } from "../../json.ts";
import type { CustomResourceDefinition, DefinitionVersion } from "../../objects/custom-resource-definition.ts";
import type { KubeObject } from "../../objects/object.ts";
import { FieldSet } from "../managed-fields/field-set.ts";
import {
  type ResourceRules,
  type ResourceType,
  type Subresource,
  type Update,
  type Verb,
} from "../resources/resource-type.ts";
import { type DecodeOptions, decode } from "../schema/decode.ts";
import { type Schema, structOf } from "../schema/types.ts";
import type { FieldError } from "../validation/field-error.ts";
import { dnsSubdomain } from "../validation/names.ts";
import { customColumns } from "./custom-columns.ts";
import { schemaType } from "./schema-type.ts";
import { fillDefaults, prune } from "./structural.ts";
import { validateSchema } from "./validate-schema.ts";

/** The resource type of one served version of a custom resource. */
export function customType(
  schema: Schema,
  { spec }: CustomResourceDefinition,
  version: DefinitionVersion,
): ResourceType {
  const { group, names, scope } = spec;
  const own = version.schema?.openAPIV3Schema ?? {};
  const metaType = structOf(schema, "ObjectMeta");
  const apiVersion = `${group}/${version.name}`;
  const hasStatus = version.subresources?.status !== undefined;

  function decodeCustom(body: JsonObject, options: DecodeOptions): KubeObject {
    const { kind: _kind, apiVersion: _version, metadata, ...rest } = body;
    const fields = structuredClone(rest);
    prune(own, fields, options.onUnknownField);
    if (options.defaults) fillDefaults(own, fields);
    const onUnknownField = options.onUnknownField;
    const meta = decode(metaType, isObject(metadata) ? metadata : {}, {
      defaults: false,
      ...(onUnknownField === undefined ? {} : { onUnknownField: (path: string) => onUnknownField(`metadata.${path}`) }),
    });
    const sorted = Object.fromEntries(Object.entries(fields).sort(([a], [b]) => (a < b ? -1 : 1)));
    return { apiVersion, kind: names.kind, metadata: meta as KubeObject["metadata"], ...sorted };
  }

  return {
    group,
    version: version.name,
    kind: names.kind,
    plural: names.plural,
    singular: names.singular ?? names.kind.toLowerCase(),
    shortNames: names.shortNames ?? [],
    categories: names.categories ?? [],
    namespaced: scope === "Namespaced",
    type: schemaType(names.kind, own, metaType),
    customSchema: own,
    strategicPatch: false,
    deprecation:
      version.deprecated === true
        ? (version.deprecationWarning ?? `${apiVersion} ${names.kind} is deprecated`)
        : undefined,
    verbs: VERBS,
    subresources: subresourcesOf(version),
    columns: customColumns(version.additionalPrinterColumns ?? []),
    rules: customRules(own, hasStatus),
    decode: decodeCustom,
    empty: {},
    resetFields: (subresource) => (hasStatus ? (subresource === "status" ? ALL_BUT_STATUS : STATUS) : undefined),
    storageKey: `${names.plural}.${group}`,
    apiVersion,
  };
}

// The order in which discovery lists them for custom resources.
const VERBS: readonly Verb[] = ["delete", "deletecollection", "get", "list", "patch", "create", "update", "watch"];
const STATUS = new FieldSet(["f:status"]);
const ALL_BUT_STATUS = new FieldSet(["f:spec"]);

function subresourcesOf({ subresources }: DefinitionVersion): Subresource[] {
  const verbs = ["get", "patch", "update"];
  return [
    ...(subresources?.status === undefined ? [] : [{ name: "status", verbs }]),
    ...(subresources?.scale === undefined
      ? []
      : [{ name: "scale", verbs, kind: { group: "autoscaling", version: "v1", kind: "Scale" } }]),
  ];
}

function customRules(own: Parameters<typeof validateSchema>[0], hasStatus: boolean): ResourceRules {
  const validate = (object: KubeObject): FieldError[] => {
    const { kind: _kind, apiVersion: _version, metadata: _metadata, ...rest } = object;
    return validateSchema(own, rest, "");
  };
  return {
    nameRule: dnsSubdomain,
    generation: true,
    createOnUpdate: false,
    unconditionalUpdate: false,
    returnsDeleted: false,
    prepareCreate: (object) => {
      if (hasStatus) delete object["status"];
    },
    prepareStatusUpdate: keepMetadata,
    validate,
    validateUpdate: ({ next }) => validate(next),
    validateStatusUpdate: ({ next }) => validate(next),
  };
}

// Through the status of a custom resource nothing else can be changed, labels and annotations neither.
function keepMetadata({ next, current }: Update): void {
  next.metadata = { ...current.metadata };
}
