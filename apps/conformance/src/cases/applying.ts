import type { Answer } from "@kindling/test-kit/api-client";
import { at, type CaseContext } from "@kindling/test-kit/case-context";
import { ABSENT, expectMatch } from "@kindling/test-kit/matches";
import { expectRefusal, expectSuccess } from "@kindling/test-kit/refusal";
import { type ConformanceCase, inNamespace } from "../conformance-case.ts";
import { configMap } from "./objects.ts";

async function apply(t: CaseContext, manager: string, object: object, query: string = ""): Promise<Answer> {
  return await t.client.patch(`${t.path("configmaps", "one")}?fieldManager=${manager}${query}`, "apply", object);
}

function managers(answer: Answer): string[] {
  const entries = (at(answer.body, "metadata.managedFields") ?? []) as { manager: string; operation: string }[];
  return entries.map(({ manager, operation }) => `${manager} ${operation}`).sort();
}

function service(ports: readonly object[]): object {
  return { apiVersion: "v1", kind: "Service", metadata: { name: "one" }, spec: { ports } };
}

export const applyCases: readonly ConformanceCase[] = inNamespace("apply", {
  "makes an object that is not there": async (t) => {
    const answer = await apply(t, "me", configMap("one", { a: "1" }));
    expectSuccess(answer, 201);
    expectMatch(answer.body, {
      metadata: {
        managedFields: [{ manager: "me", operation: "Apply", apiVersion: "v1", fieldsV1: { "f:data": { "f:a": {} } } }],
      },
      data: { a: "1" },
    });
  },
  "changes an object": async (t) => {
    await apply(t, "me", configMap("one", { a: "1" }));
    const answer = await apply(t, "me", configMap("one", { a: "2" }));
    expectSuccess(answer, 200);
    expectMatch(answer.body["data"], { a: "2" });
  },
  "writes nothing if nothing changes": async (t) => {
    const first = await apply(t, "me", configMap("one", { a: "1" }));
    const second = await apply(t, "me", configMap("one", { a: "1" }));
    expectMatch(second.text.trim(), first.text.trim());
  },
  "removes what its manager no longer wants": async (t) => {
    await apply(t, "me", configMap("one", { a: "1", b: "2" }));
    const answer = await apply(t, "me", configMap("one", { a: "1" }));
    expectMatch(answer.body["data"], { a: "1", b: ABSENT });
  },
  "leaves alone what others own": async (t) => {
    await apply(t, "me", configMap("one", { a: "1" }));
    await apply(t, "you", configMap("one", { b: "2" }));
    const answer = await apply(t, "me", configMap("one", {}));
    expectMatch(answer.body["data"], { a: ABSENT, b: "2" });
  },
  "keeps a field as long as someone wants it": async (t) => {
    await apply(t, "me", configMap("one", { a: "1" }));
    await apply(t, "you", configMap("one", { a: "1" }));
    const answer = await apply(t, "me", configMap("one", {}));
    expectMatch(answer.body["data"], { a: "1" });
  },
  "tells of conflicts with other managers": async (t) => {
    await apply(t, "me", configMap("one", { a: "1" }));
    const answer = await apply(t, "you", configMap("one", { a: "2" }));
    expectRefusal(answer, {
      code: 409,
      reason: "Conflict",
      message: 'Apply failed with 1 conflict: conflict with "me": .data.a',
      details: { causes: [{ reason: "FieldManagerConflict", message: 'conflict with "me"', field: ".data.a" }] },
    });
  },
  "tells of conflicts with updates": async (t) => {
    await t.create(`${t.path("configmaps")}?fieldManager=editor`, configMap("one", { a: "1", b: "1" }));
    const answer = await apply(t, "me", configMap("one", { a: "2", b: "2" }));
    expectRefusal(answer, {
      code: 409,
      message: 'Apply failed with 2 conflicts: conflicts with "editor" using v1:\n- .data.a\n- .data.b',
    });
  },
  "takes fields over if forced": async (t) => {
    await apply(t, "me", configMap("one", { a: "1" }));
    const answer = await apply(t, "you", configMap("one", { a: "2" }), "&force=true");
    expectSuccess(answer, 200);
    expectMatch(answer.body["data"], { a: "2" });
    expectMatch(managers(answer), ["you Apply"]);
  },
  "takes fields from updates that change them": async (t) => {
    await apply(t, "me", configMap("one", { a: "1" }));
    const answer = await t.client.patch(`${t.path("configmaps", "one")}?fieldManager=editor`, "merge", {
      data: { a: "2" },
    });
    expectMatch(managers(answer), ["editor Update"]);
  },
  "merges lists by their keys": async (t) => {
    const path = `${t.path("services", "one")}?fieldManager=`;
    await t.client.patch(`${path}me`, "apply", service([{ name: "a", port: 80 }]));
    const answer = await t.client.patch(`${path}you`, "apply", service([{ name: "b", port: 81 }]));
    expectSuccess(answer, 200);
    expectMatch(at(answer.body, "spec.ports"), [
      { name: "a", port: 80, protocol: "TCP", targetPort: 80 },
      { name: "b", port: 81, protocol: "TCP", targetPort: 81 },
    ]);
    const rest = await t.client.patch(`${path}me`, "apply", service([]));
    expectMatch(at(rest.body, "spec.ports"), [{ name: "b" }]);
  },
  "reads YAML": async (t) => {
    const answer = await t.client.request(
      "PATCH",
      `${t.path("configmaps", "one")}?fieldManager=me`,
      "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: one\ndata:\n  a: b\n",
      { headers: { "Content-Type": "application/apply-patch+yaml" } },
    );
    expectSuccess(answer, 201);
    expectMatch(answer.body["data"], { a: "b" });
  },
  "needs a manager": async (t) => {
    expectRefusal(await t.client.patch(t.path("configmaps", "one"), "apply", configMap("one")), {
      code: 422,
      reason: "Invalid",
      message: 'PatchOptions.meta.k8s.io "" is invalid: fieldManager: Required value: is required for apply patch',
    });
  },
  "needs a kind and a version": async (t) => {
    expectRefusal(await apply(t, "me", { metadata: { name: "one" } }), {
      code: 400,
      reason: "BadRequest",
      message: /^invalid object type: /,
    });
  },
  "refuses another version": async (t) => {
    expectRefusal(await apply(t, "me", { ...configMap("one"), apiVersion: "v2" }), {
      code: 400,
      message: "invalid object type: /v2, Kind=ConfigMap",
    });
  },
  "refuses fields that the type has not": async (t) => {
    expectRefusal(await apply(t, "me", { ...configMap("one"), nope: 1 }), {
      code: 500,
      message:
        /^failed to create typed patch object \(.*\/one; \/v1, Kind=ConfigMap\): \.nope: field not declared in schema$/,
    });
  },
  "refuses managed fields of the client's own": async (t) => {
    expectRefusal(await apply(t, "me", configMap("one", {}, { managedFields: [{ manager: "x" }] })), {
      code: 400,
      message: "metadata.managedFields must be nil",
    });
  },
  "refuses an object that should be there by its uid": async (t) => {
    expectRefusal(await apply(t, "me", configMap("one", {}, { uid: "gone" })), {
      code: 409,
      message: /uid mismatch: the provided object specified uid gone, and no existing object was found$/,
    });
  },
  "needs the name of the path": async (t) => {
    expectRefusal(await apply(t, "me", { apiVersion: "v1", kind: "ConfigMap" }), {
      code: 400,
      message: "the name of the object (one based on URL) was undeterminable: name must be provided",
    });
    expectRefusal(await apply(t, "me", configMap("two")), {
      code: 400,
      message: "the name of the object (two) does not match the name on the URL (one)",
    });
  },
  "stores nothing in a dry run": async (t) => {
    expectSuccess(await apply(t, "me", configMap("one", { a: "1" }), "&dryRun=All"), 201);
    expectRefusal(await t.client.get(t.path("configmaps", "one")), { code: 404 });
  },
  "applies the status apart": async (t) => {
    await t.create(t.path("services"), balanced([{ name: "a", port: 80 }]));
    const status = { loadBalancer: { ingress: [{ ip: "192.0.2.1" }] } };
    const path = `${t.path("services", "one")}/status?fieldManager=me`;
    const answer = await t.client.patch(path, "apply", { ...service([]), status });
    expectSuccess(answer, 200);
    expectMatch(answer.body["status"], { loadBalancer: { ingress: [{ ip: "192.0.2.1" }] } });
  },
});

function balanced(ports: readonly object[]): object {
  return { metadata: { name: "one" }, spec: { type: "LoadBalancer", ports } };
}
