import { at, type CaseContext } from "@kindling/test-kit/case-context";
import type { JsonObject } from "@kindling/test-kit/json";
import { ABSENT, expectMatch } from "@kindling/test-kit/matches";
import { causesOf, expectRefusal, expectSuccess } from "@kindling/test-kit/refusal";
import { type ConformanceCase, inNamespace } from "../conformance-case.ts";

const DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const TABLE = { headers: { Accept: "application/json;as=Table;v=v1;g=meta.k8s.io" } };

const SCHEMA = {
  type: "object",
  // As in the definitions of kubeflow's operator: metadata is required, and always present.
  required: ["metadata", "spec"],
  properties: {
    metadata: { type: "object" },
    spec: {
      type: "object",
      required: ["size"],
      properties: {
        size: { type: "integer", minimum: 1, maximum: 10 },
        mode: { type: "string", enum: ["a", "b"], default: "a" },
        name: { type: "string", pattern: "^[a-z]+$", maxLength: 5 },
        tags: { type: "array", items: { type: "string" }, maxItems: 2, "x-kubernetes-list-type": "set" },
        ports: {
          type: "array",
          items: {
            type: "object",
            required: ["port"],
            properties: { port: { type: "integer" }, note: { type: "string" } },
          },
          "x-kubernetes-list-type": "map",
          "x-kubernetes-list-map-keys": ["port"],
        },
        free: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
      },
    },
    status: { type: "object", properties: { phase: { type: "string" } } },
  },
};

/** Columns for missing and null values. */
const UNSET_COLUMNS = ["date", "string", "integer", "boolean"].flatMap((type) =>
  ["gone.at", "gone", "nothing"].map((path) => ({ name: `${type} ${path}`, type, jsonPath: `.spec.free.${path}` })),
);

/** A definition of widgets in a group that no other case uses. */
function definition(group: string, members: JsonObject = {}): JsonObject {
  const version = {
    served: true,
    storage: true,
    schema: { openAPIV3Schema: SCHEMA },
    subresources: { status: {} },
    additionalPrinterColumns: [
      { name: "Size", type: "integer", jsonPath: ".spec.size" },
      { name: "Phase", type: "string", jsonPath: ".status.phase" },
      ...UNSET_COLUMNS,
    ],
  };
  return {
    metadata: { name: `widgets.${group}` },
    spec: {
      group,
      names: { plural: "widgets", singular: "widget", kind: "Widget", shortNames: ["wd"] },
      scope: "Namespaced",
      versions: [
        { name: "v1", ...version },
        { name: "v1beta1", ...version, storage: false },
      ],
      ...members,
    },
  };
}

interface Widgets {
  readonly group: string;
  readonly path: (name?: string) => string;
  readonly widget: (name: string, spec: JsonObject, metadata?: JsonObject) => JsonObject;
}

async function widgets(t: CaseContext): Promise<Widgets> {
  const group = `${t.namespace}.example.com`;
  await t.create(DEFINITIONS, definition(group));
  t.onEnd(async () => await t.client.delete(`${DEFINITIONS}/widgets.${group}`));
  const path = (name?: string): string => t.groupPath(`${group}/v1`, "widgets", name);
  await t.until(
    async () => await t.client.get(path()),
    ({ status }) => status === 200,
    "the new resource to be served",
  );
  const widget = (name: string, spec: JsonObject, metadata: JsonObject = {}): JsonObject => ({
    apiVersion: `${group}/v1`,
    kind: "Widget",
    metadata: { name, ...metadata },
    spec,
  });
  return { group, path, widget };
}

export const definitionCases: readonly ConformanceCase[] = inNamespace("custom resource definition", {
  "becomes established": async (t) => {
    const { group } = await widgets(t);
    const { body } = await t.client.get(`${DEFINITIONS}/widgets.${group}`);
    expectMatch(at(body, "status.conditions"), [
      { type: "NamesAccepted", status: "True", reason: "NoConflicts", message: "no conflicts found" },
      {
        type: "Established",
        status: "True",
        reason: "InitialNamesAccepted",
        message: "the initial names have been accepted",
      },
    ]);
    expectMatch(body["status"], {
      acceptedNames: { plural: "widgets", singular: "widget", kind: "Widget", listKind: "WidgetList" },
      storedVersions: ["v1"],
    });
  },
  "shows in discovery": async (t) => {
    const { group } = await widgets(t);
    const found = await t.until(
      async () => await t.client.get(`/apis/${group}/v1`),
      ({ status }) => status === 200,
      "the group to be known",
    );
    expectMatch(at(found.body, "resources.0"), {
      name: "widgets",
      singularName: "widget",
      namespaced: true,
      kind: "Widget",
      shortNames: ["wd"],
    });
  },
  "must be named after its resource and group": async (t) => {
    const group = `${t.namespace}.example.com`;
    expectRefusal(await t.client.post(DEFINITIONS, { ...definition(group), metadata: { name: "foo" } }), {
      code: 422,
      message: new RegExp(
        `metadata\\.name: Invalid value: "foo": must be spec\\.names\\.plural\\+"\\."\\+spec\\.group`,
      ),
    });
  },
  "must have a schema": async (t) => {
    const versions = [{ name: "v1", served: true, storage: true }];
    expectRefusal(await t.client.post(DEFINITIONS, definition(`${t.namespace}.example.com`, { versions })), {
      code: 422,
      message: /spec\.versions\[0\]\.schema\.openAPIV3Schema: Required value$/,
    });
  },
  "must store one version": async (t) => {
    const schema = { openAPIV3Schema: { type: "object" } };
    const versions = [{ name: "v1", served: true, storage: false, schema }];
    expectRefusal(await t.client.post(DEFINITIONS, definition(`${t.namespace}.example.com`, { versions })), {
      code: 422,
      message: /must have exactly one version marked as storage version/,
    });
  },
  "takes its objects with it": async (t) => {
    const { group, path, widget } = await widgets(t);
    await t.create(path(), widget("one", { size: 1 }));
    await t.client.delete(`${DEFINITIONS}/widgets.${group}`);
    await t.untilGone(`${DEFINITIONS}/widgets.${group}`);
    await t.until(
      async () => await t.client.get(path()),
      ({ status }) => status === 404,
      "the resource to be no longer served",
    );
  },
});

export const customResourceCases: readonly ConformanceCase[] = inNamespace("custom resource", {
  "gets the defaults of its schema": async (t) => {
    const { path, widget } = await widgets(t);
    const made = await t.create(path(), widget("one", { size: 3 }));
    expectMatch(made, { metadata: { generation: 1 }, spec: { size: 3, mode: "a" } });
  },
  "is checked against its schema": async (t) => {
    const { path, widget } = await widgets(t);
    const answer = await t.client.post(path(), widget("one", { size: 11, mode: "c", name: "A" }));
    expectRefusal(answer, { code: 422, reason: "Invalid" });
    // The order of the errors is different each time.
    expectMatch(causesOf(answer).sort(), [
      "FieldValueInvalid spec.name: Invalid value: \"A\": spec.name in body should match '^[a-z]+$'",
      "FieldValueInvalid spec.size: Invalid value: 11: spec.size in body should be less than or equal to 10",
      'FieldValueNotSupported spec.mode: Unsupported value: "c": supported values: "a", "b"',
    ]);
  },
  "must have what is required, of the right type": async (t) => {
    const { path, widget } = await widgets(t);
    expectRefusal(await t.client.post(path(), widget("one", {})), {
      code: 422,
      causes: ["FieldValueRequired spec.size: Required value"],
    });
    expectRefusal(await t.client.post(path(), widget("one", { size: "x" })), {
      code: 422,
      causes: [
        'FieldValueTypeInvalid spec.size: Invalid value: "string": spec.size in body must be of type integer: "string"',
      ],
    });
  },
  "has sets and maps as lists": async (t) => {
    const { path, widget } = await widgets(t);
    expectRefusal(await t.client.post(path(), widget("one", { size: 1, tags: ["a", "a"] })), {
      code: 422,
      causes: ['FieldValueDuplicate spec.tags[1]: Duplicate value: "a"'],
    });
    expectRefusal(await t.client.post(path(), widget("one", { size: 1, ports: [{ port: 1 }, { port: 1 }] })), {
      code: 422,
      causes: ['FieldValueDuplicate spec.ports[1]: Duplicate value: {"port":1}'],
    });
  },
  "loses fields that its schema has not": async (t) => {
    const { path, widget } = await widgets(t);
    const answer = await t.client.post(path(), widget("one", { size: 1, nope: 1, free: { anything: 1 } }));
    expectSuccess(answer, 201);
    expectMatch(answer.headers["warning"], '299 - "unknown field \\"spec.nope\\""');
    expectMatch(answer.body["spec"], { nope: ABSENT, free: { anything: 1 } });
  },
  "is refused with unknown fields if asked to be strict": async (t) => {
    const { path, widget } = await widgets(t);
    expectRefusal(await t.client.post(`${path()}?fieldValidation=Strict`, widget("one", { size: 1, nope: 1 })), {
      code: 400,
      reason: "BadRequest",
      message: /strict decoding error: unknown field "spec\.nope"$/,
    });
  },
  "is served in all its versions": async (t) => {
    const { group, path, widget } = await widgets(t);
    await t.create(path(), widget("one", { size: 1 }));
    const other = await t.client.get(t.groupPath(`${group}/v1beta1`, "widgets", "one"));
    expectMatch(other.body, { apiVersion: `${group}/v1beta1`, spec: { size: 1 } });
    const list = await t.client.get(t.groupPath(`${group}/v1beta1`, "widgets"));
    expectMatch(list.body, { kind: "WidgetList", items: [{ apiVersion: `${group}/v1beta1`, kind: "Widget" }] });
  },
  "has its columns, also for what is not there or is null": async (t) => {
    const { path, widget } = await widgets(t);
    await t.create(path(), widget("one", { size: 4, free: { nothing: null } }));
    const { body } = await t.client.get(path(), TABLE);
    const columns = [{ name: "Name" }, { name: "Size", type: "integer" }, { name: "Phase" }];
    expectMatch(body["columnDefinitions"], [...columns, ...UNSET_COLUMNS.map(({ name, type }) => ({ name, type }))]);
    const unset = [null, null, null, null, null, "<no value>", null, null, null, null, null, null];
    expectMatch(at(body, "rows.0.cells"), ["one", 4, null, ...unset]);
  },
  "keeps its status apart": async (t) => {
    const { path, widget } = await widgets(t);
    const made = await t.create(path(), { ...widget("one", { size: 1 }), status: { phase: "x" } });
    expectMatch(made["status"] ?? null, null);
    const answer = await t.client.patch(`${path("one")}/status`, "merge", {
      status: { phase: "Ready" },
      spec: { size: 9 },
    });
    expectMatch(answer.body, { metadata: { generation: 1 }, spec: { size: 1 }, status: { phase: "Ready" } });
    const changed = await t.client.patch(path("one"), "merge", { spec: { size: 2 }, status: { phase: "no" } });
    expectMatch(changed.body, { metadata: { generation: 2 }, spec: { size: 2 }, status: { phase: "Ready" } });
  },
  "has no strategic merge": async (t) => {
    const { path, widget } = await widgets(t);
    await t.create(path(), widget("one", { size: 1 }));
    expectRefusal(await t.client.patch(path("one"), "strategic", { spec: { size: 2 } }), {
      code: 415,
      reason: "UnsupportedMediaType",
      message:
        "the body of the request was in an unknown format - accepted media types include: application/json-patch+json, application/merge-patch+json, application/apply-patch+yaml",
    });
  },
  "can be applied, with lists merged by their keys": async (t) => {
    const { path, widget } = await widgets(t);
    await t.client.patch(`${path("one")}?fieldManager=a`, "apply", widget("one", { size: 1, ports: [{ port: 1 }] }));
    const answer = await t.client.patch(
      `${path("one")}?fieldManager=b`,
      "apply",
      widget("one", { ports: [{ port: 2 }] }),
    );
    expectSuccess(answer, 200);
    expectMatch(at(answer.body, "spec.ports"), [{ port: 1 }, { port: 2 }]);
    const rival = await t.client.patch(`${path("one")}?fieldManager=b`, "apply", widget("one", { size: 2 }));
    expectRefusal(rival, { code: 409, message: 'Apply failed with 1 conflict: conflict with "a": .spec.size' });
  },
  "can be watched": async (t) => {
    const { path, widget } = await widgets(t);
    const stream = await t.watch(`${path()}?watch=true`);
    await t.create(path(), widget("one", { size: 1 }));
    await t.client.delete(path("one"));
    for (const type of ["ADDED", "DELETED"])
      expectMatch(await stream.nextChange(), { type, object: { kind: "Widget", metadata: { name: "one" } } });
  },
});
