import type { ApiClient } from "@kindling/test-kit/api-client";
import { at, type CaseContext } from "@kindling/test-kit/case-context";
import type { JsonObject } from "@kindling/test-kit/json";
import { expectMatch } from "@kindling/test-kit/matches";
import { expectRefusal, expectSuccess } from "@kindling/test-kit/refusal";
import { type ConformanceCase, inNamespace, withoutNamespace } from "../conformance-case.ts";
import { configMap } from "./objects.ts";
import { token } from "./tokens.ts";

const RBAC = "rbac.authorization.k8s.io";
const REVIEWS = "/apis/authorization.k8s.io/v1";

async function account(t: CaseContext): Promise<ApiClient> {
  return t.as(await token(t));
}

/** Gives the namespace's default account a role, and waits until it has an effect. */
async function allow(t: CaseContext, rules: readonly JsonObject[], probe: JsonObject): Promise<void> {
  const roles = t.groupPath(`${RBAC}/v1`, "roles");
  await t.create(roles, { metadata: { name: "role" }, rules });
  await t.create(t.groupPath(`${RBAC}/v1`, "rolebindings"), {
    metadata: { name: "binding" },
    subjects: [{ kind: "ServiceAccount", name: "default", namespace: t.namespace }],
    roleRef: { apiGroup: RBAC, kind: "Role", name: "role" },
  });
  const user = `system:serviceaccount:${t.namespace}:default`;
  const spec = { user, resourceAttributes: { namespace: t.namespace, ...probe } };
  await t.until(
    async () => await t.client.post(`${REVIEWS}/subjectaccessreviews`, { spec }),
    ({ body }) => at(body, "status.allowed") === true,
    "the role to count",
  );
}

export const authenticationCases: readonly ConformanceCase[] = withoutNamespace("authentication", {
  "refuses a token that is none": async (t) => {
    expectRefusal(await t.as("nonsense").get("/api/v1/namespaces/default/pods"), {
      code: 401,
      reason: "Unauthorized",
      message: "Unauthorized",
    });
  },
  "tells strangers what they may see": async (t) => {
    const stranger = t.as(undefined);
    expectSuccess(await stranger.get("/version"), 200);
    expectRefusal(await stranger.get("/api/v1/namespaces/default/pods"), {
      code: 403,
      reason: "Forbidden",
      message:
        'pods is forbidden: User "system:anonymous" cannot list resource "pods" in API group "" in the namespace "default"',
    });
  },
  "tells the administrator who it is": async (t) => {
    const answer = await t.client.post("/apis/authentication.k8s.io/v1/selfsubjectreviews", {});
    const groups = at(answer.body, "status.userInfo.groups") as string[];
    expectMatch(groups.includes("system:authenticated"), true);
  },
  "finds nothing in a token that is none": async (t) => {
    const answer = await t.client.post("/apis/authentication.k8s.io/v1/tokenreviews", { spec: { token: "x.y.z" } });
    expectMatch(answer.body["status"], { user: {}, error: /invalid bearer token/ });
  },
});

export const authorizationCases: readonly ConformanceCase[] = inNamespace("authorization", {
  "refuses what no role allows": async (t) => {
    const client = await account(t);
    const user = `User "system:serviceaccount:${t.namespace}:default"`;
    const where = `in the namespace "${t.namespace}"`;
    expectRefusal(await client.get(t.path("pods")), {
      code: 403,
      reason: "Forbidden",
      message: `pods is forbidden: ${user} cannot list resource "pods" in API group "" ${where}`,
      details: { kind: "pods" },
    });
    expectRefusal(await client.get(t.path("pods", "x")), {
      code: 403,
      message: `pods "x" is forbidden: ${user} cannot get resource "pods" in API group "" ${where}`,
      details: { name: "x", kind: "pods" },
    });
    expectRefusal(await client.get(`${t.path("pods", "x")}/log`), {
      code: 403,
      message: `pods "x" is forbidden: ${user} cannot get resource "pods/log" in API group "" ${where}`,
    });
    expectRefusal(await client.get(t.groupPath("apps/v1", "deployments", "x")), {
      code: 403,
      message: `deployments.apps "x" is forbidden: ${user} cannot get resource "deployments" in API group "apps" ${where}`,
    });
    expectRefusal(await client.get("/api/v1/nodes"), {
      code: 403,
      message: `nodes is forbidden: ${user} cannot list resource "nodes" in API group "" at the cluster scope`,
    });
    expectRefusal(await client.delete(t.path("pods")), {
      code: 403,
      message: `pods is forbidden: ${user} cannot deletecollection resource "pods" in API group "" ${where}`,
    });
    expectRefusal(await client.get("/metrics"), {
      code: 403,
      message: `forbidden: ${user} cannot get path "/metrics"`,
    });
  },
  "allows what a role allows": async (t) => {
    const client = await account(t);
    await allow(t, [{ apiGroups: [""], resources: ["pods"], verbs: ["get", "list"] }], {
      verb: "list",
      resource: "pods",
    });
    expectSuccess(await client.get(t.path("pods")), 200);
    expectRefusal(await client.get(`${t.path("pods")}?watch=true`), { code: 403 });
    expectRefusal(await client.get("/api/v1/namespaces/default/pods"), { code: 403 });
    expectRefusal(await client.get(`${t.path("pods", "x")}/log`), { code: 403 });
  },
  "allows objects by their names": async (t) => {
    const client = await account(t);
    await t.create(t.path("configmaps"), configMap("only"));
    await allow(t, [{ apiGroups: [""], resources: ["configmaps"], resourceNames: ["only"], verbs: ["get"] }], {
      verb: "get",
      resource: "configmaps",
      name: "only",
    });
    expectSuccess(await client.get(t.path("configmaps", "only")), 200);
    expectRefusal(await client.get(t.path("configmaps", "other")), { code: 403 });
  },
  "allows tokens of one account alone": async (t) => {
    const client = await account(t);
    await t.create(t.path("serviceaccounts"), { metadata: { name: "only" } });
    const rule = { apiGroups: [""], resources: ["serviceaccounts/token"], resourceNames: ["only"], verbs: ["create"] };
    await allow(t, [rule], { verb: "create", resource: "serviceaccounts", subresource: "token", name: "only" });
    expectSuccess(
      await client.post(`${t.path("serviceaccounts", "only")}/token`, { spec: { audiences: ["me"] } }),
      201,
    );
    expectRefusal(await client.post(`${t.path("serviceaccounts", "default")}/token`, { spec: { audiences: ["me"] } }), {
      code: 403,
      message: `serviceaccounts "default" is forbidden: User "system:serviceaccount:${t.namespace}:default" cannot create resource "serviceaccounts/token" in API group "" in the namespace "${t.namespace}"`,
      details: { name: "default", kind: "serviceaccounts" },
    });
    expectRefusal(await client.get(t.path("serviceaccounts", "only")), { code: 403 });
  },
  "allows everything with asterisks": async (t) => {
    const client = await account(t);
    await allow(t, [{ apiGroups: ["*"], resources: ["*"], verbs: ["*"] }], { verb: "delete", resource: "pods" });
    expectSuccess(await client.post(t.path("configmaps"), configMap("one")), 201);
    expectRefusal(await client.get(`${t.path("pods", "x")}/log`), { code: 404 });
  },
  "answers questions about others": async (t) => {
    const user = `system:serviceaccount:${t.namespace}:default`;
    const spec = { user, resourceAttributes: { namespace: t.namespace, verb: "delete", resource: "pods" } };
    const answer = await t.client.post(`${REVIEWS}/subjectaccessreviews`, { spec });
    expectSuccess(answer, 201);
    expectMatch(answer.body["status"], { allowed: false });
  },
  "answers questions about oneself": async (t) => {
    const client = await account(t);
    const spec = { resourceAttributes: { namespace: t.namespace, verb: "get", resource: "pods" } };
    const mine = await client.post(`${REVIEWS}/selfsubjectaccessreviews`, { spec });
    expectMatch(mine.body["status"], { allowed: false });
    const admin = await t.client.post(`${REVIEWS}/selfsubjectaccessreviews`, { spec });
    expectMatch(admin.body["status"], { allowed: true });
  },
});
