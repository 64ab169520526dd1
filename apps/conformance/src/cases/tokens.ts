import { at, type CaseContext } from "@kindling/test-kit/case-context";
import type { JsonObject } from "@kindling/test-kit/json";
import { expectMatch } from "@kindling/test-kit/matches";
import { expectRefusal, expectSuccess } from "@kindling/test-kit/refusal";
import { type ConformanceCase, inNamespace } from "../conformance-case.ts";

/** A token of the namespace's default account. */
export async function token(t: CaseContext, spec: JsonObject = {}): Promise<string> {
  const answer = await t.client.post(`${t.path("serviceaccounts", "default")}/token`, { spec });
  expectSuccess(answer, 201);
  return String(at(answer.body, "status.token"));
}

function claims(jwt: string): JsonObject {
  return JSON.parse(Buffer.from(jwt.split(".")[1] ?? "", "base64url").toString()) as JsonObject;
}

export const tokenCases: readonly ConformanceCase[] = inNamespace("service account token", {
  "says whose it is and how long it lasts": async (t) => {
    const answer = await t.client.post(`${t.path("serviceaccounts", "default")}/token`, {
      spec: { audiences: ["me"], expirationSeconds: 1200 },
    });
    expectMatch(answer.body, {
      kind: "TokenRequest",
      apiVersion: "authentication.k8s.io/v1",
      metadata: { name: "default", namespace: t.namespace },
      spec: { audiences: ["me"], expirationSeconds: 1200 },
      status: { token: /^[\w-]+\.[\w-]+\.[\w-]+$/, expirationTimestamp: /Z$/ },
    });
    const content = claims(String(at(answer.body, "status.token")));
    expectMatch(content, {
      aud: ["me"],
      sub: `system:serviceaccount:${t.namespace}:default`,
      "kubernetes.io": { namespace: t.namespace, serviceaccount: { name: "default", uid: /./ } },
    });
    expectMatch(Number(content["exp"]) - Number(content["iat"]), 1200);
  },
  "lasts ten minutes at least": async (t) => {
    const answer = await t.client.post(`${t.path("serviceaccounts", "default")}/token`, {
      spec: { expirationSeconds: 5 },
    });
    expectRefusal(answer, {
      code: 422,
      message: /spec\.expirationSeconds: Invalid value: 5: may not specify a duration less than 10 minutes/,
    });
  },
  "needs its account": async (t) => {
    expectRefusal(await t.client.post(`${t.path("serviceaccounts", "nobody")}/token`, { spec: {} }), {
      code: 404,
      message: 'serviceaccounts "nobody" not found',
    });
  },
  "can be bound to a pod that is there": async (t) => {
    const boundObjectRef = { kind: "Pod", apiVersion: "v1", name: "nobody" };
    const answer = await t.client.post(`${t.path("serviceaccounts", "default")}/token`, { spec: { boundObjectRef } });
    expectRefusal(answer, { code: 404, message: 'pods "nobody" not found' });
  },
  "tells the server who asks": async (t) => {
    const client = t.as(await token(t));
    const answer = await client.post("/apis/authentication.k8s.io/v1/selfsubjectreviews", {});
    expectMatch(at(answer.body, "status.userInfo"), {
      username: `system:serviceaccount:${t.namespace}:default`,
      groups: ["system:serviceaccounts", `system:serviceaccounts:${t.namespace}`, "system:authenticated"],
    });
  },
  "is good for the server only if it is meant for it": async (t) => {
    const client = t.as(await token(t, { audiences: ["someone-else"] }));
    expectRefusal(await client.get(t.path("pods")), { code: 401, reason: "Unauthorized", message: "Unauthorized" });
  },
  "is reviewed": async (t) => {
    const spec = { token: await token(t, { audiences: ["me"] }), audiences: ["me", "you"] };
    const answer = await t.client.post("/apis/authentication.k8s.io/v1/tokenreviews", { spec });
    expectSuccess(answer, 201);
    expectMatch(answer.body["status"], {
      authenticated: true,
      user: { username: `system:serviceaccount:${t.namespace}:default`, uid: /./ },
      audiences: ["me"],
    });
  },
  "is good for those alone that it is made for": async (t) => {
    const made = await token(t, { audiences: ["me", "you"] });
    expectMatch(claims(made)["aud"], ["me", "you"]);
    expectRefusal(await t.as(made).get("/api"), { code: 401 });
    const review = async (spec: JsonObject): Promise<JsonObject> =>
      (await t.client.post("/apis/authentication.k8s.io/v1/tokenreviews", { spec: { token: made, ...spec } })).body;
    expectMatch((await review({ audiences: ["you", "somebody"] }))["status"], {
      authenticated: true,
      audiences: ["you"],
    });
    expectMatch((await review({ audiences: ["you", "me"] }))["status"], { authenticated: true });
    for (const spec of [{}, { audiences: [] }, { audiences: ["somebody"] }]) {
      expectMatch((await review(spec))["status"], { user: {}, error: /invalid bearer token/ });
    }
  },
  "is no good for another audience": async (t) => {
    const spec = { token: await token(t, { audiences: ["me"] }), audiences: ["you"] };
    const answer = await t.client.post("/apis/authentication.k8s.io/v1/tokenreviews", { spec });
    expectMatch(answer.body["status"], { user: {}, error: /\[invalid bearer token, .*/ });
  },
  "ends with its account": async (t) => {
    await t.create(t.path("serviceaccounts"), { metadata: { name: "short" } });
    const answer = await t.client.post(`${t.path("serviceaccounts", "short")}/token`, { spec: {} });
    await t.client.delete(t.path("serviceaccounts", "short"));
    const client = t.as(String(at(answer.body, "status.token")));
    const refused = await t.until(
      async () => await client.get("/api"),
      ({ status }) => status === 401,
      "the token to be refused",
    );
    expectRefusal(refused, { code: 401 });
  },
});
