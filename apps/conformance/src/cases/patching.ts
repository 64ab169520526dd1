import type { Answer } from "@kindling/test-kit/api-client";
import { at, type CaseContext } from "@kindling/test-kit/case-context";
import { ABSENT, expectMatch, type Pattern } from "@kindling/test-kit/matches";
import { expectRefusal, expectSuccess } from "@kindling/test-kit/refusal";
import { type ConformanceCase, inNamespace } from "../conformance-case.ts";
import { configMap, idlePod } from "./objects.ts";

async function patchedData(t: CaseContext, data: object, patch: unknown, kind: "json" | "merge"): Promise<Answer> {
  await t.create(t.path("configmaps"), configMap("one", { ...data }));
  return await t.client.patch(t.path("configmaps", "one"), kind, patch);
}

function deployment(): object {
  const containers = [
    { name: "main", image: "example/one", env: [{ name: "A", value: "1" }], ports: [{ containerPort: 80 }] },
    { name: "side", image: "example/side" },
  ];
  const labels = { app: "x" };
  return {
    metadata: { name: "one" },
    spec: {
      replicas: 0,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers, nodeSelector: { a: "b" } } },
    },
  };
}

async function patchedDeployment(t: CaseContext, spec: unknown, expected: Pattern): Promise<void> {
  const path = t.groupPath("apps/v1", "deployments");
  await t.create(path, deployment());
  const answer = await t.client.patch(`${path}/one`, "strategic", { spec: { template: { spec } } });
  expectSuccess(answer, 200);
  expectMatch(at(answer.body, "spec.template.spec"), expected);
}

export const jsonPatchCases: readonly ConformanceCase[] = inNamespace("JSON patch", {
  "does its operations in order": async (t) => {
    const answer = await patchedData(
      t,
      { a: "1", b: "2" },
      [
        { op: "test", path: "/data/a", value: "1" },
        { op: "replace", path: "/data/a", value: "3" },
        { op: "remove", path: "/data/b" },
        { op: "add", path: "/data/c", value: "4" },
        { op: "copy", from: "/data/c", path: "/data/d" },
        { op: "move", from: "/data/c", path: "/data/e" },
      ],
      "json",
    );
    expectMatch(answer.body["data"], { a: "3", b: ABSENT, c: ABSENT, d: "4", e: "4" });
  },
  "adds to lists by index and at their end": async (t) => {
    await t.create(t.path("configmaps"), configMap("one", {}, { finalizers: ["x.y/b"] }));
    const answer = await t.client.patch(t.path("configmaps", "one"), "json", [
      { op: "add", path: "/metadata/finalizers/0", value: "x.y/a" },
      { op: "add", path: "/metadata/finalizers/-", value: "x.y/c" },
    ]);
    expectMatch(at(answer.body, "metadata.finalizers"), ["x.y/a", "x.y/b", "x.y/c"]);
    await t.client.patch(t.path("configmaps", "one"), "merge", { metadata: { finalizers: null } });
  },
  "reads escaped names": async (t) => {
    const answer = await patchedData(
      t,
      {},
      [
        { op: "add", path: "/metadata/annotations", value: {} },
        { op: "add", path: "/metadata/annotations/example.com~1a~0b", value: "v" },
      ],
      "json",
    );
    // The tilde is no part of a good key.
    expectRefusal(answer, { code: 422, reason: "Invalid", message: /"example\.com\/a~b"/ });
  },
  "does nothing if a test fails": async (t) => {
    const answer = await patchedData(
      t,
      { a: "1" },
      [
        { op: "replace", path: "/data/a", value: "2" },
        { op: "test", path: "/data/a", value: "1" },
      ],
      "json",
    );
    expectRefusal(answer, {
      code: 422,
      reason: "Invalid",
      message: "the server rejected our request due to an error in our request",
    });
    expectMatch((await t.client.get(t.path("configmaps", "one"))).body["data"], { a: "1" });
  },
  "refuses to remove what is not there": async (t) => {
    const answer = await patchedData(t, { a: "1" }, [{ op: "remove", path: "/data/b" }], "json");
    expectRefusal(answer, {
      code: 422,
      reason: "Invalid",
      message: "the server rejected our request due to an error in our request",
    });
  },
  "refuses what is no list of operations": async (t) => {
    expectRefusal(await patchedData(t, {}, { op: "add" }, "json"), {
      code: 400,
      reason: "BadRequest",
      message: "error decoding patch: json: cannot unmarshal object into Go value of type []handlers.jsonPatchOp",
    });
  },
});

export const mergePatchCases: readonly ConformanceCase[] = inNamespace("merge patch", {
  "adds, replaces and removes": async (t) => {
    const answer = await patchedData(t, { a: "1", b: "2" }, { data: { a: "3", b: null, c: "4" } }, "merge");
    expectSuccess(answer, 200);
    expectMatch(answer.body["data"], { a: "3", b: ABSENT, c: "4" });
  },
  "replaces lists as a whole": async (t) => {
    await t.create(t.path("configmaps"), configMap("one", {}, { finalizers: ["x.y/a", "x.y/b"] }));
    const answer = await t.client.patch(t.path("configmaps", "one"), "merge", { metadata: { finalizers: ["x.y/c"] } });
    expectMatch(at(answer.body, "metadata.finalizers"), ["x.y/c"]);
    await t.client.patch(t.path("configmaps", "one"), "merge", { metadata: { finalizers: null } });
  },
  "refuses an older version": async (t) => {
    const answer = await patchedData(t, {}, { metadata: { resourceVersion: "1" }, data: { a: "b" } }, "merge");
    expectRefusal(answer, { code: 409, reason: "Conflict" });
  },
  "validates what comes out": async (t) => {
    const answer = await patchedData(t, {}, { metadata: { labels: { "bad key": "v" } } }, "merge");
    expectRefusal(answer, { code: 422, reason: "Invalid", message: /metadata\.labels: Invalid value: "bad key"/ });
  },
  "warns of unknown fields": async (t) => {
    const answer = await patchedData(t, {}, { spec: { foo: 1 } }, "merge");
    expectSuccess(answer, 200);
    expectMatch(answer.headers["warning"], '299 - "unknown field \\"spec\\""');
  },
  "refuses unknown fields if asked to be strict": async (t) => {
    await t.create(t.path("pods"), idlePod("one"));
    const path = `${t.path("pods", "one")}?fieldValidation=Strict`;
    expectRefusal(await t.client.patch(path, "merge", { spec: { foo: 1 } }), {
      code: 422,
      reason: "Invalid",
      message: / patch: Invalid value: .*: strict decoding error: unknown field "spec\.foo"$/s,
    });
  },
  "refuses values of another type": async (t) => {
    expectRefusal(await patchedData(t, {}, { data: { a: 1 } }, "merge"), {
      code: 422,
      reason: "Invalid",
      message:
        /^ "" is invalid: patch: Invalid value: .*: json: cannot unmarshal number into Go struct field ConfigMap\.data of type string$/s,
      details: { kind: ABSENT, causes: [{ reason: "FieldValueInvalid", field: "patch" }] },
    });
  },
  "refuses what is no object": async (t) => {
    expectRefusal(await patchedData(t, {}, [], "merge"), {
      code: 400,
      reason: "BadRequest",
      message: "error decoding patch: json: cannot unmarshal array into Go value of type map[string]interface {}",
    });
  },
  "finds no object that is not there": async (t) => {
    expectRefusal(await t.client.patch(t.path("configmaps", "nobody"), "merge", {}), { code: 404 });
  },
  "is the only kind that may not be forced": async (t) => {
    const made = await t.client.patch(`${t.path("configmaps", "one")}?force=true`, "merge", {});
    expectRefusal(made, {
      code: 422,
      reason: "Invalid",
      message: /force: Forbidden: may not be specified for non-apply patch/,
    });
  },
  "needs its own content type": async (t) => {
    const answer = await t.client.request("PATCH", t.path("configmaps", "one"), {});
    expectRefusal(answer, { code: 415, reason: "UnsupportedMediaType" });
  },
});

export const strategicPatchCases: readonly ConformanceCase[] = inNamespace("strategic merge patch", {
  "merges lists by their keys": async (t) => {
    await patchedDeployment(
      t,
      {
        containers: [
          { name: "main", image: "example/two", env: [{ name: "B", value: "2" }] },
          { name: "new", image: "x" },
        ],
      },
      {
        containers: [
          {
            name: "main",
            image: "example/two",
            env: [
              { name: "B", value: "2" },
              { name: "A", value: "1" },
            ],
          },
          { name: "new" },
          { name: "side", image: "example/side" },
        ],
      },
    );
  },
  "removes an item of a list": async (t) => {
    await patchedDeployment(
      t,
      { containers: [{ name: "side", $patch: "delete" }] },
      { containers: [{ name: "main", ports: [{ containerPort: 80, protocol: "TCP" }] }] },
    );
  },
  "replaces a list": async (t) => {
    await patchedDeployment(
      t,
      { containers: [{ $patch: "replace" }, { name: "other", image: "x" }] },
      { containers: [{ name: "other" }] },
    );
  },
  "replaces and removes members": async (t) => {
    await patchedDeployment(
      t,
      { nodeSelector: { a: null, c: "d" }, restartPolicy: "Always" },
      { nodeSelector: { a: ABSENT, c: "d" } },
    );
  },
  "keeps the order that it is told": async (t) => {
    await patchedDeployment(
      t,
      {
        "$setElementOrder/containers": [{ name: "side" }, { name: "main" }],
        containers: [{ name: "main", image: "example/two" }],
      },
      { containers: [{ name: "side" }, { name: "main", image: "example/two" }] },
    );
  },
  "removes values of a list of texts": async (t) => {
    await t.create(t.path("configmaps"), configMap("one", {}, { finalizers: ["x.y/a", "x.y/b"] }));
    const answer = await t.client.patch(t.path("configmaps", "one"), "strategic", {
      metadata: { "$deleteFromPrimitiveList/finalizers": ["x.y/a"] },
    });
    expectMatch(at(answer.body, "metadata.finalizers"), ["x.y/b"]);
    await t.client.patch(t.path("configmaps", "one"), "merge", { metadata: { finalizers: null } });
  },
  "needs the key of an item": async (t) => {
    await t.create(t.path("pods"), idlePod("one"));
    const answer = await t.client.patch(t.path("pods", "one"), "strategic", { spec: { containers: [{ image: "x" }] } });
    expectRefusal(answer, {
      code: 500,
      message: /^map: .* does not contain declared merge key: name$/,
    });
  },
});
