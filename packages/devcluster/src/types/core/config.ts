import { jsonEqual } from "@kindling/kube-objects";
import {
  type ResourceDefinition,
  columns,
  configKey,
  type FieldError,
  forbiddenField,
  invalidValue,
  namedCells,
  tooLong,
} from "@kindling/api-server";
import type { ConfigMap, Secret } from "../../objects/core.ts";

const LIMIT = 1024 * 1024;
const IMMUTABLE = "field is immutable when `immutable` is set";

/** ConfigMaps. */
export const configMaps: ResourceDefinition = {
  kind: "ConfigMap",
  shortNames: ["cm"],
  columns: columns(
    "Name | Data | Age",
    namedCells((object) => {
      const { data = {}, binaryData = {} } = object as ConfigMap;
      return [Object.keys(data).length + Object.keys(binaryData).length];
    }),
  ),
  rules: {
    validate: (object) => validateConfigMap(object),
    validateUpdate: ({ next, current }) => [
      ...frozen(next as ConfigMap, current as ConfigMap, ["data", "binaryData"]),
      ...validateConfigMap(next),
    ],
  },
};

/** Secrets. */
export const secrets: ResourceDefinition = {
  kind: "Secret",
  columns: columns(
    "Name | Type | Data | Age",
    namedCells((object) => {
      const { type = "", data = {} } = object as Secret;
      return [type, Object.keys(data).length];
    }),
  ),
  rules: {
    // `stringData` is write-only: it becomes data.
    setDefaults: (object) => {
      const secret = object as Secret;
      const { stringData } = secret;
      if (stringData === undefined) return;
      const encoded = Object.entries(stringData).map(([key, value]) => [key, Buffer.from(value).toString("base64")]);
      secret.data = { ...secret.data, ...(Object.fromEntries(encoded) as Record<string, string>) };
      delete secret.stringData;
    },
    validate: (object) => validateSecret(object),
    validateUpdate: ({ next, current }) => {
      const [secret, old] = [next as Secret, current as Secret];
      const type = secret.type === old.type ? [] : [invalidValue("type", secret.type, "field is immutable")];
      return [...type, ...frozen(secret, old, ["data"]), ...validateSecret(secret)];
    },
    selectableFields: (object) => ({ type: (object as Secret).type ?? "" }),
  },
};

function validateConfigMap({ data = {}, binaryData = {} }: ConfigMap): FieldError[] {
  const errors: FieldError[] = [];
  let size = 0;
  for (const [key, value] of Object.entries(data)) {
    errors.push(...configKey(key).map((why) => invalidValue(`data[${key}]`, key, why)));
    if (Object.hasOwn(binaryData, key)) {
      errors.push(invalidValue(`data[${key}]`, key, "duplicate of key present in binaryData"));
    }
    size += Buffer.byteLength(value);
  }
  for (const [key, value] of Object.entries(binaryData)) {
    errors.push(...configKey(key).map((why) => invalidValue(`binaryData[${key}]`, key, why)));
    size += sizeOf(value);
  }
  if (size > LIMIT) errors.push(tooLong("[]", LIMIT));
  return errors;
}

function validateSecret({ data = {} }: Secret): FieldError[] {
  const errors: FieldError[] = [];
  let size = 0;
  for (const [key, value] of Object.entries(data)) {
    errors.push(...configKey(key).map((why) => invalidValue(`data[${key}]`, key, why)));
    size += sizeOf(value);
  }
  if (size > LIMIT) errors.push(tooLong("data", LIMIT));
  return errors;
}

// Bytes may be null, which means none.
function sizeOf(base64: string | null): number {
  return base64 === null ? 0 : Buffer.byteLength(base64, "base64");
}

function frozen<T extends ConfigMap | Secret>(next: T, current: T, fields: readonly string[]): FieldError[] {
  if (current.immutable !== true) return [];
  const errors: FieldError[] = [];
  if (next.immutable !== true) errors.push(forbiddenField("immutable", IMMUTABLE));
  for (const field of fields) {
    if (!jsonEqual(next[field], current[field])) errors.push(forbiddenField(field, IMMUTABLE));
  }
  return errors;
}
