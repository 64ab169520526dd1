import type { JsonObject, KubeObject } from "@kindling/kube-objects";
import {
  type DecodeOptions,
  decodeOpen,
  dnsSubdomain,
  type FieldError,
  FieldSet,
  type ResourceRules,
  type ResourceType,
  type Update,
  type Verb,
} from "@kindling/api-server";
import type { CustomResourceDefinition, DefinitionVersion } from "../../objects/custom-resource-definition.ts";
import { customColumns } from "./custom-columns.ts";
import { schemaType } from "./schema-type.ts";
import { fillDefaults, prune } from "./structural.ts";
import { validateSchema } from "./validate-schema.ts";

/** The resource type of one served version of a custom resource. */
export function customType({ spec }: CustomResourceDefinition, version: DefinitionVersion): ResourceType {
  const { group, names, scope } = spec;
  const own = version.schema?.openAPIV3Schema ?? {};
  const apiVersion = `${group}/${version.name}`;
  const hasStatus = version.subresources?.status !== undefined;

  function decodeCustom(body: JsonObject, options: DecodeOptions): KubeObject {
    const {
      kind,
      apiVersion: _version,
      metadata,
      ...fields
    } = decodeOpen({ apiVersion, kind: names.kind }, body, options);
    prune(own, fields, options.onUnknownField);
    if (options.defaults) fillDefaults(own, fields);
    const sorted = Object.entries(fields).sort(([a], [b]) => (a < b ? -1 : 1));
    return { apiVersion, kind, metadata, ...Object.fromEntries(sorted) };
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
    type: schemaType(names.kind, own),
    strategicPatch: false,
    verbs: VERBS,
    subresources: hasStatus ? [{ name: "status", verbs: ["get", "patch", "update"] }] : [],
    columns: customColumns(version.additionalPrinterColumns ?? []),
    rules: customRules(own, hasStatus),
    decode: decodeCustom,
    empty: {},
    resetFields: (subresource) => (hasStatus ? (subresource === "status" ? ALL_BUT_STATUS : STATUS) : undefined),
    storageKey: `${names.plural}.${group}`,
    apiVersion,
  };
}

// The order of verbs in discovery for custom resources.
const VERBS: readonly Verb[] = ["delete", "deletecollection", "get", "list", "patch", "create", "update", "watch"];
const STATUS = new FieldSet(["f:status"]);
const ALL_BUT_STATUS = new FieldSet(["f:spec"]);

function customRules(own: Parameters<typeof validateSchema>[0], hasStatus: boolean): ResourceRules {
  // With its metadata, because a schema may require it.
  const validate = (object: KubeObject): FieldError[] => validateSchema(own, object, "");
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

// An update of the status of a custom resource can change nothing else, also no labels and annotations.
function keepMetadata({ next, current }: Update): void {
  next.metadata = { ...current.metadata };
}
