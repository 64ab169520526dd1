import { readFileSync, renameSync } from "node:fs";
import { createHash } from "node:crypto";
import { join } from "node:path";
import { TestCluster } from "@kindling/test-cluster/test-cluster";
import { scratchFolder } from "@kindling/test-kit/scratch-folder";
import { expect, test } from "vitest";
import { piOf } from "./support/submissions.ts";
import { startTestServer, testConfig } from "./support/test-server.ts";

const SUBMISSIONS = "/api/v1/submissions";
const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");

interface Audited {
  readonly path: string;
  readonly flags: readonly string[];
  readonly events: () => readonly Readonly<Record<string, unknown>>[];
}

function audited(): Audited {
  const folder = scratchFolder();
  const path = join(folder.path, "audit.log");
  const access = folder.write(
    "access.json",
    JSON.stringify({ subjects: [{ name: "ci", tokenSha256: sha256("t-ci"), namespaces: ["spark-jobs"] }] }),
  );
  return {
    path,
    flags: ["--auth-modes", "token", "--auth-access-file", access, "--audit-log-path", path],
    events: () =>
      readFileSync(path, "utf8")
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line) as Record<string, unknown>),
  };
}

test("each submission, kill and refusal is one line with who, from where, what, and why", async () => {
  const cluster = await TestCluster.start();
  const { flags, events } = audited();
  const server = await startTestServer(cluster, { settings: flags });
  const ci = { authorization: "Bearer t-ci" };
  const secret = piOf({ submissionId: "one", conf: { "spark.hadoop.fs.s3a.secret.key": "s3cr3t-of-s3" } });
  const made = await server.ask("POST", SUBMISSIONS, secret, ci);
  expect(made.status, made.text).toBe(201);
  await server.ask("POST", SUBMISSIONS, secret, ci);
  await server.ask("GET", SUBMISSIONS, undefined, ci);
  await server.ask("POST", SUBMISSIONS, piOf({ namespace: "elsewhere" }), ci);
  await server.ask("POST", SUBMISSIONS, piOf({ conf: { "spark.executor.memory": "s3cr3t-of-s3" } }), ci);
  await server.ask("GET", `${SUBMISSIONS}?namespace=elsewhere`, undefined, ci);
  await server.ask("DELETE", `${SUBMISSIONS}/spark-jobs:one`, undefined, { authorization: "Bearer t-wrong-one" });
  const killed = await server.ask("DELETE", `${SUBMISSIONS}/spark-jobs:one`, undefined, ci);
  expect(killed.status, killed.text).toBe(202);
  const { driverPod, driverPodUid, applicationId } = made.body;
  const user = { username: "ci", groups: [] };
  const driver = {
    namespace: "spark-jobs",
    application: applicationId,
    resource: "pods",
    name: driverPod,
    uid: driverPodUid,
  };
  const of = (verb: string, decision: string, reason: unknown, more: object): object => ({
    apiVersion: "audit.kindling/v1",
    kind: "Event",
    auditID: expect.stringMatching(/^[0-9a-f-]{36}$/),
    time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    component: "serve",
    ...{ verb, decision, reason },
    ...more,
    requestID: expect.stringMatching(/^[0-9a-f-]{36}$/),
  });
  const by = { user, sourceIPs: ["127.0.0.1"] };
  const found = events();
  expect(found).toEqual([
    of("submit", "allow", "created", { ...by, object: driver }),
    of("submit", "allow", "an earlier submission with the same id had made it", { ...by, object: driver }),
    of("submit", "forbid", "ci may not use namespace elsewhere", {
      ...by,
      object: { namespace: "elsewhere", resource: "pods" },
    }),
    of(
      "submit",
      "forbid",
      expect.stringMatching(/^what was asked for cannot be carried out as it is \(CONF_INVALID\)$/),
      {
        ...by,
        object: { namespace: "spark-jobs", resource: "pods" },
      },
    ),
    of("list", "forbid", "ci may not use namespace elsewhere", {
      ...by,
      object: { namespace: "elsewhere", resource: "pods" },
    }),
    of("kill", "forbid", "the credentials are not accepted", { sourceIPs: ["127.0.0.1"] }),
    of("kill", "allow", "deleted", { ...by, object: { namespace: "spark-jobs", resource: "pods", name: driverPod } }),
  ]);
  expect(found.map((event) => Object.keys(event))[0]).toEqual([
    ...[
      "apiVersion",
      "kind",
      "auditID",
      "time",
      "component",
      "verb",
      "decision",
      "reason",
      "user",
      "sourceIPs",
      "object",
    ],
    "requestID",
  ]);
  expect(found[0]?.["requestID"]).toBe(made.headers.get("request-id"));
  expect(JSON.stringify(found)).not.toMatch(/s3cr3t|t-wrong-one|t-ci/);
});

test("a file that was renamed is made again, and only its user may read it", async () => {
  const cluster = await TestCluster.start();
  const { path, flags, events } = audited();
  const server = await startTestServer(cluster, { settings: flags });
  await server.ask("GET", SUBMISSIONS);
  renameSync(path, `${path}.1`);
  await server.ask("GET", SUBMISSIONS);
  expect(events()).toHaveLength(1);
  expect(events()[0]).toMatchObject({ verb: "list", decision: "forbid", reason: "no credentials were sent" });
});

test("to stdout the events go between the lines of the log", async () => {
  const cluster = await TestCluster.start();
  const server = await startTestServer(cluster, { settings: ["--audit-log-path", "-"] });
  await server.ask("POST", SUBMISSIONS, piOf());
  const events = server.lines
    .map((line) => JSON.parse(line) as Record<string, unknown>)
    .filter(({ kind }) => kind === "Event");
  expect(events).toMatchObject([{ verb: "submit", decision: "allow", user: { username: "anonymous" } }]);
});

test("a file that cannot be written is told at the start", async () => {
  const cluster = await TestCluster.start();
  const path = join(scratchFolder().path, "missing", "audit.log");
  await expect(startTestServer(cluster, { settings: ["--audit-log-path", path] })).rejects.toThrow(
    /^the audit log cannot be written: ENOENT/,
  );
  expect(() => testConfig("--audit-log-path", "")).toThrow(/a text that is not empty/);
});
