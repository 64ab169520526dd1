import { TestCluster } from "@kindling/test-cluster/test-cluster";
import { aPod } from "@kindling/test-kit/a-pod";
import { eventually } from "@kindling/test-kit/eventually";
import { expect, test } from "vitest";
import { piOf } from "./support/submissions.ts";
import { startTestServer, type TestServer } from "./support/test-server.ts";

const SUBMISSIONS = "/api/v1/submissions";

interface Listed {
  readonly id: string;
  readonly phase: string;
  readonly submissionId?: string;
}

async function list(server: TestServer, query = ""): Promise<readonly Listed[]> {
  const { status, body } = await server.ask("GET", `${SUBMISSIONS}${query}`);
  expect(status).toBe(200);
  return body["items"] as Listed[];
}

async function submitted(server: TestServer, members: Record<string, unknown> = {}): Promise<string> {
  const { status, text, body } = await server.ask("POST", SUBMISSIONS, piOf(members));
  expect(status, text).toBe(201);
  return String(body["id"]);
}

test("applications are listed by namespace and state, page by page", async () => {
  const cluster = await TestCluster.start();
  const server = await startTestServer(cluster);
  const ids: string[] = [];
  for (const submissionId of ["a", "b", "c"]) ids.push(await submitted(server, { submissionId }));
  const other = await submitted(server, { namespace: "elsewhere" });
  await eventually(async () => expect(await list(server, "?state=Running")).toHaveLength(4));
  expect((await list(server, "?namespace=elsewhere")).map(({ id }) => id)).toEqual([other]);
  expect(await list(server, "?state=failed&state=Succeeded")).toEqual([]);

  const seen: string[] = [];
  for (let next: unknown = ""; next !== undefined;) {
    const query = next === "" ? "" : `&continue=${String(next)}`;
    const { body } = await server.ask("GET", `${SUBMISSIONS}?namespace=spark-jobs&limit=2${query}`);
    seen.push(...(body["items"] as Listed[]).map(({ id }) => id));
    next = body["continue"];
  }
  expect(seen.toSorted()).toEqual(ids.toSorted());
});

test("the status of an application tells why it failed", async () => {
  const cluster = await TestCluster.start();
  const server = await startTestServer(cluster);
  const id = await submitted(server, { submissionId: "why" });
  const driver = await cluster.driver();
  await cluster.inPhase(driver, "Running");
  cluster.end(driver, 137, "OOMKilled");
  await cluster.inPhase(driver, "Failed");
  const { status, body } = await server.ask("GET", `${SUBMISSIONS}/${id}`);
  expect(status).toBe(200);
  expect(body).toMatchObject({ id, phase: "Failed", exitCode: 137, submissionId: "why", image: "apache/spark:4.3.0" });
  expect(body["findings"]).toMatchObject([{ word: "OOMKilled", advice: expect.stringMatching(/memory/) as string }]);
  expect(body["configuration"]).toMatchObject({ "spark.app.name": "pi" });
  for (const name of [
    "spark-jobs:why",
    `why?namespace=spark-jobs`,
    `${String(body["applicationId"])}?namespace=spark-jobs`,
  ]) {
    expect((await server.ask("GET", `${SUBMISSIONS}/${name}`)).body["id"]).toBe(id);
  }
  const { body: brief } = await server.ask("GET", `${SUBMISSIONS}/${id}?diagnosis=false`);
  expect(brief).not.toHaveProperty("findings");
  expect(brief).toMatchObject({ id, phase: "Failed" });
});

test("an application that there is not is not found", async () => {
  const cluster = await TestCluster.start();
  const server = await startTestServer(cluster);
  for (const path of ["", "/log", "/events"]) {
    const { status, body } = await server.ask("GET", `${SUBMISSIONS}/spark-jobs:nothing${path}`);
    expect(body["hint"]).toBe(`GET ${SUBMISSIONS}?namespace=spark-jobs lists those that are there`);
    expect({ status, type: body["type"] }).toEqual({ status: 404, type: "urn:kindling:submission:not-found" });
  }
});

test("a type that is named for no body is no fault", async () => {
  const server = await startTestServer(await TestCluster.start());
  const id = await submitted(server);
  const headers = { "content-type": "application/json" };
  expect((await server.ask("GET", `${SUBMISSIONS}/${id}`, undefined, headers)).status).toBe(200);
  expect((await server.ask("DELETE", `${SUBMISSIONS}/${id}`, undefined, headers)).status).toBe(202);
});

test.each([
  ["POST", `${SUBMISSIONS}/spark-jobs:a`, 405, "GET, HEAD, DELETE"],
  ["PUT", SUBMISSIONS, 405, "POST, GET, HEAD"],
  ["POST", "/batches", 404, null],
  ["POST", `${SUBMISSIONS}/spark-jobs:a/kill`, 404, null],
])("%s %s is refused before its body is read, with what there is", async (method, path, status, allow) => {
  const server = await startTestServer(await TestCluster.start());
  const answer = await server.ask(method, path, "a=b", { "content-type": "application/x-www-form-urlencoded" });
  expect({ status: answer.status, allow: answer.headers.get("allow") }).toEqual({ status, allow });
  expect(answer.body["hint"]).toContain(allow ?? "/openapi.json");
});

test("an application is ended, and is then forgotten", async () => {
  const cluster = await TestCluster.start();
  const server = await startTestServer(cluster);
  const id = await submitted(server);
  await eventually(async () => expect(await list(server)).toHaveLength(1));
  const { status, body } = await server.ask("DELETE", `${SUBMISSIONS}/${id}?gracePeriodSeconds=0`);
  expect({ status, body }).toEqual({ status: 202, body: { id } });
  await eventually(async () => expect(await list(server)).toEqual([]));
  expect((await server.ask("GET", `${SUBMISSIONS}/${id}`)).status).toBe(404);
  expect((await server.ask("DELETE", `${SUBMISSIONS}/${id}`)).status).toBe(404);
});

test("the driver's log is read, and followed to its end", async () => {
  const cluster = await TestCluster.start();
  const server = await startTestServer(cluster);
  const id = await submitted(server);
  const driver = await cluster.driver();
  const followed = server.ask("GET", `${SUBMISSIONS}/${id}/log?follow=true`);
  await cluster.inPhase(driver, "Running");
  cluster.writeLog(driver, ["first", "second"]);
  await eventually(async () => {
    const { text, headers } = await server.ask("GET", `${SUBMISSIONS}/${id}/log?tailLines=1`);
    expect(text).toBe("second\n");
    expect(headers.get("content-type")).toBe("text/plain; charset=utf-8");
  });
  cluster.end(driver, 0);
  expect((await followed).text).toBe("first\nsecond\n");
  const { status, body } = await server.ask("GET", `${SUBMISSIONS}/${id}/log?container=nobody`);
  expect({ status, detail: body["detail"] }).toEqual({ status: 422, detail: 'the pod has no container "nobody"' });
});

test.each([
  ["without a node", { "spark.kubernetes.scheduler.name": "nobody" }],
  ["on a node", {}],
])("of a driver that has not started, %s, there is no log yet: it can be waited for", async (_, conf) => {
  const cluster = await TestCluster.start();
  cluster.hold();
  const server = await startTestServer(cluster);
  const id = await submitted(server, { conf });
  const path = `${SUBMISSIONS}/${id}/log`;
  await eventually(async () => {
    expect((await cluster.driver()).spec?.nodeName === undefined).toBe("spark.kubernetes.scheduler.name" in conf);
  });
  for (const container of ["", "?container=spark-kubernetes-driver"]) {
    const { status, body } = await server.ask("GET", `${path}${container}`);
    expect({ status, body }).toMatchObject({
      status: 409,
      body: {
        type: "urn:kindling:submission:not-started",
        code: "NOT_STARTED",
        detail: `${id} has not started: there is no log yet`,
        hint: "follow=true waits for it",
      },
    });
  }
});

test("applications that were there before the service are served, whoever submitted them", async () => {
  const cluster = await TestCluster.start();
  const first = await startTestServer(cluster);
  const id = await submitted(first, { submissionId: "before" });
  await first.stop();
  const server = await startTestServer(cluster);
  expect((await list(server)).map((each) => each.id)).toEqual([id]);
  const again = await server.ask("POST", SUBMISSIONS, piOf({ submissionId: "before" }));
  expect(again.status).toBe(200);
});

test.each([
  ["?stat=Running", 'there is no query parameter "stat"', "did you mean state?"],
  ["?phase=Running", 'there is no query parameter "phase"', "there are namespace, state, limit, continue"],
  ["?limit=many", 'query parameter "limit" must be integer', undefined],
  ["?limit=1&limit=2", 'query parameter "limit" must be integer', undefined],
  ["?continue=page2", "query parameter continue does not come from an earlier page", expect.any(String) as string],
  ["/spark-jobs:x/log?follow=yes", 'query parameter "follow" must be boolean', undefined],
  ["?limit=0", 'query parameter "limit" must be >= 1', undefined],
  ["?state=Runing", 'query parameter state: there is no phase "Runing"', expect.stringContaining("Running") as string],
  ["/spark-jobs:x/log?tail=5", 'there is no query parameter "tail"', expect.stringContaining("tailLines") as string],
  ["/spark-jobs:x?verbose=1", 'there is no query parameter "verbose"', "there are namespace, diagnosis"],
])("%s is refused, with the parameter's name", async (query, detail, hint) => {
  const server = await startTestServer(await TestCluster.start());
  const { status, body } = await server.ask("GET", `/api/v1/submissions${query}`);
  expect({ status, detail: body["detail"], hint: body["hint"] }).toEqual({ status: 400, detail, hint });
});

test("an application whose driver has ended has ended, though a sidecar keeps its pod", async () => {
  const cluster = await TestCluster.start();
  const server = await startTestServer(cluster);
  const meshed = aPod("meshed-driver").in("spark-jobs").driver().container("mesh").spec({ restartPolicy: "Never" });
  const driver = await cluster.createPod(meshed.build());
  cluster.end(driver, 3, "Error", "spark-kubernetes-driver");
  const ended = { id: "spark-jobs:meshed-driver", phase: "Failed", exitCode: 3 };
  await eventually(async () => expect(await list(server, "?state=Failed")).toMatchObject([ended]));
  const { body } = await server.ask("GET", "/api/v1/submissions/spark-jobs:meshed-driver");
  const advice = expect.stringContaining("DELETE /api/v1/submissions/spark-jobs:meshed-driver ends it") as string;
  expect(body["findings"]).toContainEqual(expect.objectContaining({ cause: "SidecarRunsOn", advice }));
});
