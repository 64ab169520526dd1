import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { SPARK_APPLICATION } from "../src/objects/application-shape.ts";
import { SPARK_CONNECT } from "../src/objects/connect-shape.ts";
import { presence } from "../src/shapes/read-shape.ts";
import { SCHEDULED_SPARK_APPLICATION } from "../src/objects/schedule-shape.ts";
import type { Form } from "../src/shapes/shape.ts";

type Schema = Record<string, unknown> & { properties?: Record<string, Schema> };

function schemaIn(file: string): Record<"spec" | "status", Schema> {
  const url = new URL(`../../../deploy/helm/kindling-operator/crds/${file}`, import.meta.url);
  const [version] = parse(readFileSync(url, "utf8")).spec.versions;
  return version.schema.openAPIV3Schema.properties;
}

const APPLICATION = schemaIn("sparkapplications.yaml");
const SCHEDULE = schemaIn("scheduledsparkapplications.yaml");
const CONNECT = schemaIn("sparkconnects.yaml");

/** The schema that a definition must have for a form. */
function schemaOf(form: Form): unknown {
  switch (form.kind) {
    case "text":
      return { type: "string", ...(form.values !== undefined && { enum: [...form.values] }) };
    case "whole": {
      const { kind: _, bits, ...bounds } = form;
      return { type: "integer", format: `int${bits}`, ...bounds };
    }
    case "flag":
      return { type: "boolean" };
    case "time":
      return { type: "string", format: "date-time", nullable: true };
    case "quantity":
      return { "x-kubernetes-int-or-string": true };
    case "list":
      return { type: "array", items: schemaOf(form.of) };
    case "map":
      return { type: "object", additionalProperties: schemaOf(form.of) };
    case "fields": {
      const members = Object.entries(form.members).map(([name, member]) => [name, presence(member)] as const);
      const required = members.flatMap(([name, { isRequired }]) => (isRequired ? [name] : [])).toSorted();
      return {
        type: "object",
        ...(required.length > 0 && { required }),
        ...(form.isOpen
          ? { "x-kubernetes-preserve-unknown-fields": true }
          : { properties: Object.fromEntries(members.map(([name, { form: its }]) => [name, schemaOf(its)])) }),
      };
    }
  }
}

/** A schema without descriptions, and without the parts below open members. */
function comparable(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(comparable);
  if (typeof schema !== "object" || schema === null) return schema;
  const { description: _, properties, anyOf: __, pattern: ___, default: ____, ...rest } = schema as Schema;
  const isOpen = rest["x-kubernetes-preserve-unknown-fields"] === true;
  const required = Array.isArray(rest["required"]) && { required: rest["required"].map(String).toSorted() };
  const kept = Object.entries({ ...rest, ...required }).map(([key, value]) => [key, comparable(value)]);
  const members = Object.entries(properties ?? {}).map(([name, its]) => [name, comparable(its)]);
  return {
    ...Object.fromEntries(kept),
    ...(properties !== undefined && !isOpen && { properties: Object.fromEntries(members) }),
  };
}

/** The same for a status, which only the operator writes: here only the types count. */
function typesOnly(schema: unknown): unknown {
  const text = JSON.stringify(comparable(schema), (key, value) =>
    ["enum", "minimum", "required"].includes(key) && (Array.isArray(value) || typeof value === "number")
      ? undefined
      : value,
  );
  return JSON.parse(text);
}

function memberOf(form: Form, name: string): Form {
  const member = form.kind === "fields" ? form.members[name] : undefined;
  if (member === undefined) throw new Error(`no member ${name}`);
  return presence(member).form;
}

/** The differences between the reader and the definition. */
function asRead(spec: Schema): Schema {
  const { failureRetries: _, retryInterval: __, ...properties } = spec.properties ?? {};
  const ingress = properties["driverIngressOptions"]?.["items"] as Schema;
  const { required: ___, ...lenientIngress } = ingress;
  return {
    ...spec,
    properties: {
      // The two fields that are left out have no effect in stock either.
      ...properties,
      // `in-cluster-client` is a mode of earlier definitions; it is refused like `client`.
      mode: { ...properties["mode"], enum: ["cluster", "client", "in-cluster-client"] },
      // If required members are missing, there is stock's own message.
      driverIngressOptions: { ...properties["driverIngressOptions"], items: lenientIngress },
    },
  };
}

test("the definition of SparkApplication has every field that is read, and none besides", () => {
  expect(comparable(asRead(APPLICATION.spec))).toEqual(schemaOf(memberOf(SPARK_APPLICATION, "spec")));
  expect(typesOnly(APPLICATION.status)).toEqual(typesOnly(schemaOf(memberOf(SPARK_APPLICATION, "status"))));
});

test("so has that of ScheduledSparkApplication", () => {
  const { template, concurrencyPolicy, ...properties } = SCHEDULE.spec.properties ?? {};
  // An unknown policy is the default one, as in stock.
  expect(concurrencyPolicy).toMatchObject({ type: "string", default: "Allow" });
  const read = { ...concurrencyPolicy, enum: ["Allow", "Forbid", "Replace"] };
  expect(
    comparable({
      ...SCHEDULE.spec,
      properties: { ...properties, concurrencyPolicy: read, template: asRead(template ?? {}) },
    }),
  ).toEqual(schemaOf(memberOf(SCHEDULED_SPARK_APPLICATION, "spec")));
  expect(typesOnly(SCHEDULE.status)).toEqual(typesOnly(schemaOf(memberOf(SCHEDULED_SPARK_APPLICATION, "status"))));
});

test("so has that of SparkConnect, whose status has the facts of Kubernetes' own conditions", () => {
  expect(comparable(CONNECT.spec)).toEqual(schemaOf(memberOf(SPARK_CONNECT, "spec")));
  const bare = (schema: unknown): unknown =>
    JSON.parse(
      JSON.stringify(typesOnly(schema), (key, value: unknown) =>
        ["format", "nullable", "minLength", "maxLength"].includes(key) || key.startsWith("x-kubernetes-list")
          ? undefined
          : value,
      ),
    );
  expect(bare(CONNECT.status)).toEqual(bare(schemaOf(memberOf(SPARK_CONNECT, "status"))));
});

test("a template is the spec of an application, to the letter", () => {
  const { description: _, ...template } = SCHEDULE.spec.properties?.["template"] ?? {};
  const { description: __, ...spec } = APPLICATION.spec;
  expect(template).toEqual(spec);
});

test("fields that have no effect are known to the definition all the same", () => {
  for (const name of ["failureRetries", "retryInterval"]) expect(APPLICATION.spec.properties).toHaveProperty(name);
});
