import { TestCluster } from "@kindling/test-cluster/test-cluster";
import { eventually } from "@kindling/test-kit/eventually";
import { expect, test } from "vitest";
import { FakeApplication } from "./support/fake-application.ts";
import { FakeDriver } from "./support/fake-driver.ts";
import { startTestGateway } from "./support/test-gateway.ts";

type Event = Readonly<Record<string, unknown>>;

const eventsOf = (lines: readonly string[]): readonly Event[] =>
  lines.map((line) => JSON.parse(line) as Event).filter(({ kind }) => kind === "Event");

test("what a driver changes and what it is refused is a line each, with its application", async () => {
  const cluster = await TestCluster.start();
  const gateway = await startTestGateway(cluster, { settings: ["--audit-log-path", "-"] });
  const application = await FakeApplication.submit(cluster, gateway, "etl", { executors: 1 });
  await application.started();
  await application.ask(1);
  await application.hasRunning(1);
  const { driver } = application;
  const client = driver.at(gateway);
  const other = await client.post("/api/v1/namespaces/default/pods", driver.executor(9));
  expect(other.status).toBe(403);
  const evil = { spec: { containers: [{ name: "x", image: "spark", securityContext: { privileged: true } }] } };
  expect((await client.post(driver.path("pods"), driver.executor(7, evil))).status).toBeGreaterThanOrEqual(403);
  expect((await client.delete(driver.path("pods", "etl-exec-1"))).status).toBe(200);
  expect((await fetch(`${gateway.uri}api/v1/namespaces/spark-jobs/pods`)).status).toBe(401);
  const user = { username: expect.stringMatching(/^system:serviceaccount:spark-jobs:/), groups: expect.any(Array) };
  const of = (verb: string, decision: string, object: object, more: object = {}): object => ({
    apiVersion: "audit.kindling/v1",
    ...{ kind: "Event", auditID: expect.any(String), time: expect.any(String), component: "gateway" },
    ...{ verb, decision, reason: expect.any(String) },
    object: expect.objectContaining(object),
    ...more,
  });
  const asked = { user, sourceIPs: ["127.0.0.1"], requestID: expect.stringMatching(/^[0-9a-f-]{36}$/) };
  const inJobs = { namespace: "spark-jobs", application: "spark-etl", resource: "pods" };
  await eventually(() => {
    const events = eventsOf(gateway.lines);
    expect(events).toContainEqual(of("start", "allow", { ...inJobs, name: "etl" }));
    expect(events).toContainEqual(of("create", "allow", { ...inJobs, name: "etl-exec-1" }, asked));
    expect(events).toContainEqual(of("admit", "allow", { ...inJobs, name: "etl-exec-1" }));
    expect(events).toContainEqual(of("create", "forbid", { namespace: "default", resource: "pods" }, asked));
    expect(events).toContainEqual(of("create", "forbid", { ...inJobs, name: "etl-exec-7" }, asked));
    expect(events).toContainEqual(of("delete", "allow", { ...inJobs, name: "etl-exec-1" }, asked));
    expect(events).toContainEqual(
      of(
        "list",
        "forbid",
        { namespace: "spark-jobs", resource: "pods" },
        { sourceIPs: ["127.0.0.1"], requestID: expect.any(String) },
      ),
    );
  });
  expect(gateway.lines.join("")).not.toContain(driver.token);
});

test("without a path there is no event, and no header field", async () => {
  const cluster = await TestCluster.start();
  const gateway = await startTestGateway(cluster);
  const driver = await FakeDriver.run(cluster, "etl");
  const answer = await driver.at(gateway).post(driver.path("pods"), driver.executor(1));
  expect(answer.status).toBe(201);
  expect(eventsOf(gateway.lines)).toEqual([]);
});
