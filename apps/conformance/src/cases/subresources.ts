import type { Answer } from "@kindling/test-kit/api-client";
import { at } from "@kindling/test-kit/case-context";
import { expectMatch } from "@kindling/test-kit/matches";
import { expectRefusal, expectSuccess } from "@kindling/test-kit/refusal";
import { type ConformanceCase, inNamespace } from "../conformance-case.ts";
import { idlePod } from "./objects.ts";

export const subresourceCases: readonly ConformanceCase[] = inNamespace("subresource", {
  "log of a pod that no node has is empty": async (t) => {
    await t.create(t.path("pods"), idlePod("one"));
    const answer = await t.client.get(`${t.path("pods", "one")}/log`);
    expectMatch([answer.status, answer.text], [204, ""]);
  },
  "log of a pod that is not there is not found": async (t) => {
    expectRefusal(await t.client.get(`${t.path("pods", "one")}/log`), { code: 404, message: 'pods "one" not found' });
  },
  "log of one of several containers must name it": async (t) => {
    const containers = ["a", "b"].map((name) => ({ name, image: "x" }));
    await t.create(t.path("pods"), idlePod("one", { containers }));
    expectRefusal(await t.client.get(`${t.path("pods", "one")}/log`), {
      code: 400,
      reason: "BadRequest",
      message: "a container name must be specified for pod one, choose one of: [a b]",
    });
  },
  "log of a container that there is not is refused": async (t) => {
    await t.create(t.path("pods"), idlePod("one"));
    expectRefusal(await t.client.get(`${t.path("pods", "one")}/log?container=zz`), {
      code: 400,
      message: "container zz is not valid for pod one",
    });
  },
  "eviction deletes a pod": async (t) => {
    await t.create(t.path("pods"), idlePod("one"));
    const answer = await t.client.post(`${t.path("pods", "one")}/eviction`, { metadata: { name: "one" } });
    expectSuccess(answer, 201);
    expectMatch(answer.body, { kind: "Status", status: "Success" });
    await t.untilGone(t.path("pods", "one"));
  },
  "eviction of a pod that is not there is not found": async (t) => {
    const eviction = { metadata: { name: "one" } };
    expectRefusal(await t.client.post(`${t.path("pods", "one")}/eviction`, eviction), { code: 404 });
  },
  "eviction respects a disruption budget": async (t) => {
    const labels = { app: "x" };
    await t.create(t.groupPath("policy/v1", "poddisruptionbudgets"), {
      metadata: { name: "all" },
      spec: { minAvailable: 1, selector: { matchLabels: labels } },
    });
    await t.create(t.path("pods"), idlePod("one", {}, { labels }));
    await t.client.patch(`${t.path("pods", "one")}/status`, "merge", {
      status: { phase: "Running", conditions: [{ type: "Ready", status: "True" }] },
    });
    const budget = t.groupPath("policy/v1", "poddisruptionbudgets", "all");
    await t.until(
      async () => await t.client.get(budget),
      ({ body }) => at(body, "status.currentHealthy") === 1,
      "the budget to count the pod",
    );
    expectRefusal(await t.client.post(`${t.path("pods", "one")}/eviction`, { metadata: { name: "one" } }), {
      code: 429,
      reason: "TooManyRequests",
      message: "Cannot evict pod as it would violate the pod's disruption budget.",
      details: {
        causes: [
          { reason: "DisruptionBudget", message: "The disruption budget all needs 1 healthy pods and has 1 currently" },
        ],
      },
    });
  },
  "scale can be read and written": async (t) => {
    const labels = { app: "x" };
    await t.create(t.groupPath("apps/v1", "deployments"), {
      metadata: { name: "one" },
      spec: {
        replicas: 0,
        selector: { matchLabels: labels },
        template: { metadata: { labels }, spec: { containers: [{ name: "a", image: "b" }], schedulerName: "none" } },
      },
    });
    const path = `${t.groupPath("apps/v1", "deployments", "one")}/scale`;
    const read = await t.client.get(path);
    expectMatch(read.body, {
      kind: "Scale",
      apiVersion: "autoscaling/v1",
      metadata: { name: "one" },
      spec: {},
      status: { replicas: 0, selector: "app=x" },
    });
    const written = await t.client.patch(path, "merge", { spec: { replicas: 2 } });
    expectMatch(written.body["spec"], { replicas: 2 });
    const deployment = await t.client.get(t.groupPath("apps/v1", "deployments", "one"));
    expectMatch(at(deployment.body, "spec.replicas"), 2);
  },
  "that is not there is not found": async (t) => {
    expectRefusal(await t.client.get(`${t.path("configmaps", "one")}/nope`), {
      code: 404,
      message: "the server could not find the requested resource",
    });
  },
  "proxy to a service without endpoints says so": async (t) => {
    await t.create(t.path("services"), {
      metadata: { name: "web" },
      spec: { selector: { app: "none" }, ports: [{ name: "main", port: 80 }] },
    });
    for (const name of ["web:80", "http:web:main", "https:web:80"]) {
      // A server learns about a service a little later than its creator.
      const ask = (): Promise<Answer> => t.client.get(`${t.path("services", name)}/proxy/a/b?c=d`);
      expectRefusal(await t.until(ask, ({ status }) => status !== 404, "the service"), {
        code: 503,
        reason: "ServiceUnavailable",
        message: 'no endpoints available for service "web"',
      });
    }
  },
  "proxy to a service that is not there is not found": async (t) => {
    expectRefusal(await t.client.get(`${t.path("services", "https:web:80")}/proxy/`), {
      code: 404,
      message: 'services "web" not found',
    });
  },
});
