import { TestCluster } from "@kindling/test-cluster/test-cluster";
import { eventually } from "@kindling/test-kit/eventually";
import { expect, test } from "vitest";
import { Gate } from "../src/http/gate.ts";
import { piOf } from "./support/submissions.ts";
import { startTestServer } from "./support/test-server.ts";

const SUBMISSIONS = "/api/v1/submissions";

/** Holds back requests that create pods until the returned function is called. */
function holdPods(cluster: TestCluster): () => void {
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  cluster.api.fault = ({ method, path }) =>
    method === "POST" && path.endsWith("/pods") ? { kind: "wait", until: released } : undefined;
  return release;
}

test("as many submissions as the limit says are under way; the next is told when to try again", async () => {
  const cluster = await TestCluster.start();
  const server = await startTestServer(cluster, { settings: ["--limits-submissions", "2"] });
  const release = holdPods(cluster);
  const first = [server.ask("POST", SUBMISSIONS, piOf()), server.ask("POST", SUBMISSIONS, piOf())];
  await eventually(async () => {
    const metrics = await (await fetch(new URL("metrics", server.adminUri))).text();
    expect(metrics).toMatch(/^serve_submissions_under_way 2$/m);
  });
  const { status, headers, body } = await server.ask("POST", SUBMISSIONS, piOf());
  expect({ status, after: headers.get("retry-after"), type: body["type"] }).toEqual({
    status: 503,
    after: "1",
    type: "urn:kindling:submission:overloaded",
  });
  const contract = await server.ask("POST", "/api/v1/spark-submit", {
    submission_id: "a",
    spark_submit_args: ["a.jar"],
  });
  expect({ status: contract.status, code: contract.body["error_code"] }).toEqual({
    status: 503,
    code: "SUBMITTER_OVERLOADED",
  });
  release();
  for (const answer of await Promise.all(first)) expect(answer.status).toBe(201);
  expect((await server.ask("POST", SUBMISSIONS, piOf())).status).toBe(201);
});

test("a submission under way is brought to its end when the service is told to stop", async () => {
  const cluster = await TestCluster.start();
  const server = await startTestServer(cluster);
  const release = holdPods(cluster);
  const submitted = server.ask("POST", SUBMISSIONS, piOf());
  await eventually(async () => {
    const metrics = await (await fetch(new URL("metrics", server.adminUri))).text();
    expect(metrics).toMatch(/^serve_submissions_under_way 1$/m);
  });
  const stopped = server.stop();
  await eventually(async () => {
    const ready = await fetch(new URL("readyz", server.adminUri));
    expect([ready.status, await ready.text()]).toEqual([503, "the service is stopping\n"]);
  });
  release();
  expect((await submitted).status).toBe(201);
  await stopped;
  await expect(fetch(server.uri)).rejects.toThrow("fetch failed");
});

test("a gate lets in so many in all, and of each subject, and lets out once", () => {
  const gate = new Gate({ most: 3, mostPerSubject: 2, what: "things" });
  const out = gate.enter("a");
  gate.enter("a");
  expect(() => gate.enter("a")).toThrow("2 things of yours are under way");
  gate.enter("b");
  expect(() => gate.enter("c")).toThrow("3 things are under way");
  out();
  out();
  expect(gate.inside).toBe(2);
  gate.enter("a");
  expect(() => gate.enter("b")).toThrow("3 things are under way");
});

test("figures have no names in them", async () => {
  const cluster = await TestCluster.start();
  const server = await startTestServer(cluster);
  const { body } = await server.ask("POST", SUBMISSIONS, piOf({ submissionId: "my-secret-project" }));
  await server.ask("GET", `${SUBMISSIONS}/${String(body["id"])}`);
  const metrics = await (await fetch(new URL("metrics", server.adminUri))).text();
  expect(metrics).toMatch(/^serve_submissions_total\{outcome="created"\} 1$/m);
  expect(metrics).toMatch(/route="\/api\/v1\/submissions\/:id",method="GET",status="200"/);
  for (const name of ["my-secret-project", "spark-jobs", "anonymous"]) expect(metrics).not.toContain(name);
});
