import { at } from "@kindling/test-kit/case-context";
import { isObject, type Json, type JsonObject } from "@kindling/test-kit/json";
import { ABSENT, expectMatch } from "@kindling/test-kit/matches";
import { expectRefusal, expectSuccess } from "@kindling/test-kit/refusal";
import { type ConformanceCase, withoutNamespace } from "../conformance-case.ts";

function named(list: Json | undefined, name: string): JsonObject | undefined {
  return (Array.isArray(list) ? list : []).filter(isObject).find((one) => one["name"] === name);
}

export const discoveryCases: readonly ConformanceCase[] = withoutNamespace("discovery", {
  "tells its version": async ({ client }) => {
    const answer = await client.get("/version");
    expectSuccess(answer, 200);
    expectMatch(answer.body, { major: "1", minor: /^\d+/, gitVersion: /^v1\.\d+\.\d+/, platform: /\// });
  },
  "is healthy, ready and alive": async ({ client }) => {
    for (const path of ["/healthz", "/readyz", "/livez"]) {
      const answer = await client.get(path);
      expectMatch([answer.status, answer.text], [200, "ok"], path);
    }
  },
  "lists the versions of the core group": async ({ client }) => {
    const answer = await client.get("/api");
    expectMatch(answer.body, { kind: "APIVersions", versions: ["v1"] });
  },
  "lists the groups": async ({ client }) => {
    const answer = await client.get("/apis");
    expectMatch(answer.body, { kind: "APIGroupList", apiVersion: "v1" });
    expectMatch(named(answer.body["groups"], "apps"), {
      versions: [{ groupVersion: "apps/v1", version: "v1" }],
      preferredVersion: { groupVersion: "apps/v1", version: "v1" },
    });
  },
  "describes one group": async ({ client }) => {
    const answer = await client.get("/apis/coordination.k8s.io");
    expectMatch(answer.body, { kind: "APIGroup", apiVersion: "v1", name: "coordination.k8s.io" });
    expectMatch(at(answer.body, "preferredVersion.version"), "v1");
  },
  "describes the resources of the core group": async ({ client }) => {
    const answer = await client.get("/api/v1");
    expectMatch(answer.body, { kind: "APIResourceList", groupVersion: "v1" });
    expectMatch(named(answer.body["resources"], "pods"), {
      singularName: "pod",
      namespaced: true,
      kind: "Pod",
      verbs: ["create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"],
      shortNames: ["po"],
      categories: ["all"],
    });
    expectMatch(named(answer.body["resources"], "pods/status"), { kind: "Pod", verbs: ["get", "patch", "update"] });
    expectMatch(named(answer.body["resources"], "pods/eviction"), {
      group: "policy",
      version: "v1",
      kind: "Eviction",
      verbs: ["create"],
    });
    expectMatch(named(answer.body["resources"], "namespaces"), { namespaced: false, shortNames: ["ns"] });
  },
  "describes the resources of another group": async ({ client }) => {
    const answer = await client.get("/apis/apps/v1");
    expectMatch(named(answer.body["resources"], "deployments"), { kind: "Deployment", shortNames: ["deploy"] });
    expectMatch(named(answer.body["resources"], "deployments/scale"), { group: "autoscaling", version: "v1" });
  },
  "says in OpenAPI that patches can have their fields checked": async ({ client }) => {
    const index = await client.get("/openapi/v3");
    const url = at(index.body, "paths") as JsonObject;
    const path = String(at(url["api/v1"], "serverRelativeURL"));
    expectMatch(path, /^\/openapi\/v3\/api\/v1/);
    const answer = await client.get(path);
    expectMatch(answer.body, { openapi: /^3\./ });
    const patch = at((answer.body["paths"] as JsonObject)["/api/v1/namespaces/{namespace}/pods/{name}"], "patch");
    expectMatch(patch, { "x-kubernetes-group-version-kind": { group: "", version: "v1", kind: "Pod" } });
    expectMatch(named(at(patch, "parameters"), "fieldValidation"), { in: "query" });
  },
  "knows no path or group that is not there": async ({ client }) => {
    for (const path of ["/nope", "/apis/nope.example/v1", "/apis/nope.example/v1/things"]) {
      const answer = await client.get(path);
      expectMatch([answer.status, answer.text], [404, "404 page not found\n"], path);
    }
  },
  "knows no resource that is not there": async ({ client }) => {
    const answer = await client.get("/api/v1/namespaces/default/things");
    expectRefusal(answer, {
      code: 404,
      reason: "NotFound",
      message: "the server could not find the requested resource",
      details: { group: ABSENT, kind: ABSENT, name: ABSENT },
    });
  },
  "allows no method that a resource has not": async ({ client }) => {
    const answer = await client.put("/api/v1/namespaces/default/pods", {});
    expectRefusal(answer, {
      code: 405,
      reason: "MethodNotAllowed",
      message: "the server does not allow this method on the requested resource",
    });
  },
});
