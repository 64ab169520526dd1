import { isObject, type Json, jsonEqual, type JsonObject } from "@kindling/kube-objects";
import { duplicate, type FieldError, invalidValue, notSupported, required, typeInvalid } from "@kindling/api-server";
import type { JsonSchema } from "../../objects/custom-resource-definition.ts";

/** What is wrong with a custom resource according to its schema. */
export function validateSchema(schema: JsonSchema, value: Json, path: string): FieldError[] {
  if (value === null) {
    return schema.nullable === true || (schema.type ?? "") === "" ? [] : [wrongType(schema, value, path)];
  }
  if (!hasType(schema, value)) return [wrongType(schema, value, path)];
  const errors = [...validateEnum(schema, value, path)];
  if (typeof value === "string") errors.push(...validateString(schema, value, path));
  if (typeof value === "number") errors.push(...validateNumber(schema, value, path));
  if (Array.isArray(value)) errors.push(...validateArray(schema, value, path));
  if (isObject(value)) errors.push(...validateObject(schema, value, path));
  return [...errors, ...validateCombinations(schema, value, path)];
}

function join(path: string, key: string): string {
  return path === "" ? key : `${path}.${key}`;
}

function typeName(value: Json): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  if (typeof value === "number") return Number.isInteger(value) ? "integer" : "number";
  return typeof value;
}

function hasType(schema: JsonSchema, value: Json): boolean {
  if (schema["x-kubernetes-int-or-string"] === true) return typeof value === "string" || Number.isInteger(value);
  const wanted = schema.type ?? "";
  const given = typeName(value);
  return wanted === "" || wanted === given || (wanted === "number" && given === "integer");
}

function wrongType(schema: JsonSchema, value: Json, path: string): FieldError {
  const wanted = schema["x-kubernetes-int-or-string"] === true ? "integer,string" : (schema.type ?? "");
  const why = `${path} in body must be of type ${wanted}: ${JSON.stringify(typeName(value))}`;
  // The server shows the type of the value, not its content.
  return typeInvalid(path, typeName(value), why);
}

function validateEnum({ enum: allowed }: JsonSchema, value: Json, path: string): FieldError[] {
  if (allowed === undefined || allowed.some((one) => jsonEqual(one, value))) return [];
  return [notSupported(path, value, allowed.map(String))];
}

function validateString({ pattern, minLength, maxLength }: JsonSchema, value: string, path: string): FieldError[] {
  const errors: FieldError[] = [];
  const length = Array.from(value).length;
  if (minLength !== undefined && length < minLength) {
    errors.push(invalidValue(path, value, `${path} in body should be at least ${minLength} chars long`));
  }
  if (maxLength !== undefined && length > maxLength) {
    errors.push({
      reason: "FieldValueTooLong",
      field: path,
      message: `Too long: may not be more than ${maxLength} bytes`,
    });
  }
  if (pattern !== undefined && !new RegExp(pattern, "u").test(value)) {
    errors.push(invalidValue(path, value, `${path} in body should match '${pattern}'`));
  }
  return errors;
}

function validateNumber(schema: JsonSchema, value: number, path: string): FieldError[] {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = schema;
  const errors: FieldError[] = [];
  if (minimum !== undefined && (value < minimum || (exclusiveMinimum === true && value === minimum))) {
    const words = exclusiveMinimum === true ? "greater than" : "greater than or equal to";
    errors.push(invalidValue(path, value, `${path} in body should be ${words} ${minimum}`));
  }
  if (maximum !== undefined && (value > maximum || (exclusiveMaximum === true && value === maximum))) {
    const words = exclusiveMaximum === true ? "less than" : "less than or equal to";
    errors.push(invalidValue(path, value, `${path} in body should be ${words} ${maximum}`));
  }
  return errors;
}

function validateArray(schema: JsonSchema, value: readonly Json[], path: string): FieldError[] {
  const { minItems, maxItems, items } = schema;
  const errors: FieldError[] = [];
  if (minItems !== undefined && value.length < minItems) {
    errors.push(invalidValue(path, value.length, `${path} in body should have at least ${minItems} items`));
  }
  if (maxItems !== undefined && value.length > maxItems) {
    errors.push({
      reason: "FieldValueTooMany",
      field: path,
      message: `Too many: ${value.length}: must have at most ${maxItems} items`,
    });
  }
  if (items !== undefined)
    value.forEach((item, index) => errors.push(...validateSchema(items, item, `${path}[${index}]`)));
  return [...errors, ...validateListKeys(schema, value, path)];
}

function validateListKeys(schema: JsonSchema, value: readonly Json[], path: string): FieldError[] {
  const kind = schema["x-kubernetes-list-type"];
  if (kind !== "set" && kind !== "map") return [];
  const keys = schema["x-kubernetes-list-map-keys"] ?? [];
  const seen: Json[] = [];
  return value.flatMap((item, index) => {
    const key =
      kind === "set" || !isObject(item) ? item : Object.fromEntries(keys.map((name) => [name, item[name] ?? null]));
    if (seen.some((other) => jsonEqual(other, key))) return [duplicate(`${path}[${index}]`, key)];
    seen.push(key);
    return [];
  });
}

function validateObject(schema: JsonSchema, value: JsonObject, path: string): FieldError[] {
  const { properties = {}, additionalProperties } = schema;
  const errors: FieldError[] = [];
  for (const [key, item] of Object.entries(value)) {
    if (item === undefined) continue;
    const property = Object.hasOwn(properties, key) ? properties[key] : undefined;
    const itsSchema = property ?? (typeof additionalProperties === "object" ? additionalProperties : undefined);
    if (itsSchema !== undefined) errors.push(...validateSchema(itsSchema, item, join(path, key)));
  }
  for (const key of schema.required ?? []) if (value[key] === undefined) errors.push(required(join(path, key)));
  return errors;
}

function validateCombinations(schema: JsonSchema, value: Json, path: string): FieldError[] {
  const holds = (one: JsonSchema): boolean => validateSchema(one, value, path).length === 0;
  const errors = (schema.allOf ?? []).flatMap((one) => validateSchema(one, value, path));
  const shown = isObject(value) || Array.isArray(value) ? "" : value;
  const subject = path === "" ? '""' : path;
  if (schema.anyOf !== undefined && !schema.anyOf.some(holds)) {
    errors.push(invalidValue(path, shown, `${subject} in body must validate at least one schema (anyOf)`));
  }
  if (schema.oneOf !== undefined && schema.oneOf.filter(holds).length !== 1) {
    const found =
      schema.oneOf.filter(holds).length === 0
        ? "Found none valid"
        : `Found ${schema.oneOf.filter(holds).length} valid alternatives`;
    errors.push(
      invalidValue(path, shown, `${subject} in body must validate one and only one schema (oneOf). ${found}`),
    );
  }
  return errors;
}
