import type { Condition, JsonObject, KubeObject } from "@kindling/kube-objects";

/** A structural schema, with the parts that this package reads. */
export type JsonSchema = {
  type?: string;
  format?: string;
  properties?: Record<string, JsonSchema>;
  additionalProperties?: JsonSchema | boolean;
  items?: JsonSchema;
  required?: string[];
  enum?: (string | number | boolean | null)[];
  default?: JsonObject | string | number | boolean | null;
  nullable?: boolean;
  pattern?: string;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: boolean;
  exclusiveMaximum?: boolean;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  oneOf?: JsonSchema[];
  anyOf?: JsonSchema[];
  allOf?: JsonSchema[];
  "x-kubernetes-preserve-unknown-fields"?: boolean;
  "x-kubernetes-int-or-string"?: boolean;
  "x-kubernetes-embedded-resource"?: boolean;
  "x-kubernetes-list-type"?: string;
  "x-kubernetes-list-map-keys"?: string[];
  "x-kubernetes-map-type"?: string;
};

export type PrinterColumn = {
  name: string;
  type: string;
  format?: string;
  description?: string;
  priority?: number;
  jsonPath: string;
};

export type DefinitionVersion = {
  name: string;
  served: boolean;
  storage: boolean;
  schema?: { openAPIV3Schema?: JsonSchema };
  subresources?: { status?: JsonObject };
  additionalPrinterColumns?: PrinterColumn[];
};

export type DefinitionNames = {
  plural: string;
  singular?: string;
  shortNames?: string[];
  kind: string;
  listKind?: string;
  categories?: string[];
};

export interface CustomResourceDefinition extends KubeObject {
  spec: {
    group: string;
    names: DefinitionNames;
    scope: string;
    versions: DefinitionVersion[];
    conversion?: { strategy: string };
    preserveUnknownFields?: boolean;
  };
  status: { conditions: Condition[] | null; acceptedNames: DefinitionNames; storedVersions: string[] | null };
}
