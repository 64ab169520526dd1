import { TestCluster } from "@kindling/test-cluster/test-cluster";
import type { Pod } from "kubernetes-types/core/v1.js";
import { expect, test } from "vitest";
import { piOf } from "./support/submissions.ts";
import { startTestServer } from "./support/test-server.ts";

const SUBMISSIONS = "/api/v1/submissions";

test("an application is submitted, with what belongs to it", async () => {
  const cluster = await TestCluster.start();
  const server = await startTestServer(cluster);
  const { status, body, headers } = await server.ask("POST", SUBMISSIONS, piOf());
  expect({ status, body }).toMatchObject({
    status: 201,
    body: { name: "pi", namespace: "spark-jobs", existed: false, driverPod: expect.stringMatching(/^pi-.*-driver$/) },
  });
  expect(body["id"]).toBe(`spark-jobs:${String(body["driverPod"])}`);
  expect(headers.get("location")).toBe(`${SUBMISSIONS}/${encodeURIComponent(String(body["id"]))}`);
  const kinds = (await cluster.contents()).map((each) => each.split("/")[0]);
  expect(kinds).toEqual(["ConfigMap", "NetworkPolicy", "Pod", "Service"]);
});

test("the same id twice gives one application, and says so", async () => {
  const cluster = await TestCluster.start();
  const server = await startTestServer(cluster);
  const first = await server.ask("POST", SUBMISSIONS, piOf({ submissionId: "nightly-7" }));
  const [again, ...others] = await Promise.all([
    server.ask("POST", SUBMISSIONS, piOf({ submissionId: "nightly-7" })),
    server.ask("POST", SUBMISSIONS, piOf({ submissionId: "nightly-7" })),
  ]);
  expect(first.status).toBe(201);
  for (const answer of [again, ...others]) {
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ ...first.body, existed: true });
  }
  expect(await cluster.objects("Pod")).toHaveLength(1);
});

test("many at once with one id give one application", async () => {
  const cluster = await TestCluster.start();
  const server = await startTestServer(cluster);
  const all = await Promise.all(
    Array.from({ length: 8 }, () => server.ask("POST", SUBMISSIONS, piOf({ submissionId: "once" }))),
  );
  expect(new Set(all.map(({ status }) => status))).toEqual(new Set([200, 201]));
  expect(new Set(all.map(({ body }) => body["driverPodUid"])).size).toBe(1);
  expect(await cluster.objects("Pod")).toHaveLength(1);
});

test("spark-submit's own arguments say the same; the master is the service's cluster", async () => {
  const cluster = await TestCluster.start();
  const server = await startTestServer(cluster);
  const { status, body } = await server.ask("POST", SUBMISSIONS, {
    sparkSubmitArgs: [
      ...["--master", "k8s://https://somewhere:6443", "--deploy-mode", "cluster", "--name", "etl"],
      ...["--conf", "spark.kubernetes.namespace=elsewhere"],
      ...["--conf", "spark.kubernetes.container.image=apache/spark:4.3.0"],
      ...["--submission-id", "of-args", "local:///app/etl.py", "--conf", "of-the-application"],
    ],
  });
  expect({ status, body }).toMatchObject({
    status: 201,
    body: { name: "etl", namespace: "elsewhere", submissionId: "of-args" },
  });
  const driver = await cluster.driver();
  expect(driver.metadata?.labels?.["submission.kindling/id"]).toBe("of-args");
  expect(driver.spec?.containers[0]?.args).toContain("of-the-application");
});

test("pod templates stand in the body", async () => {
  const cluster = await TestCluster.start();
  const server = await startTestServer(cluster);
  const driverTemplate = {
    metadata: { labels: { team: "a" } },
    spec: { nodeSelector: { disk: "ssd" }, containers: [{ name: "spark", env: [{ name: "WHERE", value: "here" }] }] },
  };
  const executorTemplate = { spec: { containers: [{ name: "executor" }], priorityClassName: "low" } };
  const { status } = await server.ask("POST", SUBMISSIONS, piOf({ driverTemplate, executorTemplate }));
  expect(status).toBe(201);
  const [pod] = await cluster.objects<Pod>("Pod");
  expect(pod?.metadata?.labels).toMatchObject({ team: "a" });
  expect(pod?.spec?.nodeSelector).toMatchObject({ disk: "ssd" });
});

test("submissions begin with the service's defaults, which they may replace", async () => {
  const cluster = await TestCluster.start();
  const defaults = { "spark.driver.memory": "3g", "spark.kubernetes.driver.label.tier": "batch" };
  const server = await startTestServer(cluster, { defaults });
  await server.ask("POST", SUBMISSIONS, piOf({ conf: { "spark.kubernetes.driver.label.tier": "fast" } }));
  const driver = await cluster.driver();
  expect(driver.metadata?.labels).toMatchObject({ tier: "fast" });
  expect(driver.spec?.containers[0]?.resources?.requests).toMatchObject({ memory: "3456Mi" });
});

test("the installation in the cluster is used, and asked for once in a while only", async () => {
  const cluster = await TestCluster.start();
  await cluster.send("POST", "/api/v1/namespaces/spark-jobs/configmaps", {
    metadata: { name: "kindling", labels: { "app.kubernetes.io/part-of": "kindling" } },
    data: {
      version: "0.1.0",
      "kindling.properties": "spark.kindling.staging.uri=https://staging:10000\nspark.kindling.localizer.image=x\n",
    },
  });
  const server = await startTestServer(cluster);
  for (const submissionId of ["a", "b", "c"]) {
    const { status, body } = await server.ask("POST", SUBMISSIONS, piOf({ submissionId }));
    expect(status).toBe(201);
    expect(body["notices"]).toContain("installation: kindling 0.1.0 in namespace spark-jobs");
  }
  const asked = cluster.api.requests.filter(({ path }) => path.endsWith("/configmaps/kindling"));
  // In the submission's namespace and in the usual one, at once; after that in neither.
  expect(asked).toHaveLength(2);
  expect(new Set(asked.map(({ path }) => path.split("/").at(-3)))).toEqual(new Set(["kindling", "spark-jobs"]));
});

test.each([
  ["no JSON", '{"namespace": "a",}', 400, "invalid-request", /^the body is not JSON: .*position 18/],
  ["no JSON at its end", '{"password": "hunter2', 400, "invalid-request", /^the body is not JSON: (?!.*hunter)/],
  ["a forbidden member", '{"__proto__": {}}', 400, "invalid-request", /^the body has a member __proto__/],
  ["no body", "", 400, "invalid-request", /^the body is empty$/],
  ["a number for a text", piOf({ conf: { "spark.executor.instances": 2 } }), 400, "invalid-request", /must be string$/],
  ["null for a text", piOf({ conf: { "spark.a": null } }), 400, "invalid-request", /^member "conf\.spark\.a" must/],
  [
    "a number in a list",
    piOf({ jars: ["local:///a.jar", 1] }),
    400,
    "invalid-request",
    /^member "jars\.1" must be str/,
  ],
  [
    "a text for a list",
    { sparkSubmitArgs: "--class A b.jar" },
    400,
    "invalid-request",
    /"sparkSubmitArgs" must be arr/,
  ],
  ["a jar without its class", piOf({ application: { resource: "local:///a.jar" } }), 422, "refused", /main class/],
  ["an unknown member", piOf({ nmae: "x" }), 400, "invalid-request", /^there is no member "nmae"$/],
  [
    "an unknown member of a member",
    piOf({ application: { resource: "local:///a.jar", mainclass: "A" } }),
    400,
    "invalid-request",
    /^there is no member "application\.mainclass"$/,
  ],
  [
    "a missing member",
    piOf({ application: {} }),
    400,
    "invalid-request",
    /^member "application\.resource" is missing$/,
  ],
  [
    "a member of a wrong type",
    piOf({ conf: { "spark.app.name": { a: 1 } } }),
    400,
    "invalid-request",
    /^member "conf\.spark\.app\.name" must be string$/,
  ],
  ["an empty member", piOf({ namespace: "" }), 400, "invalid-request", /^member "namespace" must NOT have fewer/],
  ["a list that is none", piOf({ jars: { a: 1 } }), 400, "invalid-request", /^member "jars" must be/],
  ["no object", ["a"], 400, "invalid-request", /^the body must be object$/],
  ["no application", { namespace: "spark-jobs" }, 422, "refused", /no application is named/],
  ["arguments besides members", piOf({ sparkSubmitArgs: ["a.jar"] }), 422, "refused", /must not both be given/],
  ["a wrong value", piOf({ conf: { "spark.driver.memory": "much" } }), 422, "refused", /spark\.driver\.memory/],
  ["a namespace that there is not", piOf({ namespace: "nowhere" }), 404, "not-found", /namespaces "nowhere" not found/],
  ["client mode", { sparkSubmitArgs: ["--deploy-mode", "client", "a.jar"] }, 422, "refused", /cluster mode/],
])("%s is refused in words", async (_, body, status, problem, detail) => {
  const cluster = await TestCluster.start();
  const server = await startTestServer(cluster);
  const answer = await server.ask("POST", SUBMISSIONS, body);
  expect(answer.status, answer.text).toBe(status);
  expect(answer.headers.get("content-type")).toContain("application/problem+json");
  expect(answer.body).toMatchObject({ type: `urn:kindling:submission:${problem}`, status });
  expect(answer.body["detail"]).toMatch(detail);
  expect(await cluster.contents()).toEqual([]);
});

test("what was probably meant is suggested, and the members that there are", async () => {
  const server = await startTestServer(await TestCluster.start());
  const hintOf = async (body: object): Promise<unknown> => (await server.ask("POST", SUBMISSIONS, body)).body["hint"];
  expect(await hintOf(piOf({ namspace: "x" }))).toBe("did you mean namespace?");
  expect(await hintOf({ application: { resource: "local:///a.jar", zzzzzz: 1 } })).toBe(
    "there are resource, mainClass, arguments",
  );
});

test.each([
  [{ file: "local:///a.jar" }, "here it is application.resource"],
  [piOf({ className: "A" }), "here it is application.mainClass"],
  [piOf({ numExecutors: 2 }), 'here it is conf["spark.executor.instances"]'],
  [piOf({ sparkProperties: {} }), "here it is conf"],
  [piOf({ "driver-memory": "4g" }), 'here it is conf["spark.driver.memory"]'],
  [{ application: "local:///a.py" }, "write an object with the member resource"],
  [{ conf: "a=b" }, "write an object"],
  [piOf({ files: ["data.csv"] }), expect.stringMatching(/^it would be a file of the service's machine: /) as string],
  [piOf({ conf: { "spark.executor.instances": 2 } }), "write it in quotation marks, as a text"],
  [piOf({ submissionId: null }), "leave it out, or give it a value"],
  [piOf({ jars: "local:///a.jar" }), "write a list of texts, in square brackets"],
  [piOf({ submissionId: "a b" }), expect.stringContaining("Letters, digits") as string],
  [piOf({ application: { resource: "local:///a.jar" } }), expect.stringContaining("application.mainClass") as string],
  [piOf({ namespace: "nowhere" }), "correct namespace, or have it made: kubectl create namespace nowhere"],
  [{ sparkSubmitArgs: ["--class A b.jar"] }, expect.stringContaining("each word of the command line") as string],
])("%j: the hint is for who sends requests", async (body, hint) => {
  const server = await startTestServer(await TestCluster.start());
  const answer = await server.ask("POST", SUBMISSIONS, body);
  expect(answer.body["hint"], answer.text).toEqual(hint);
});

test("the same id for something else gives what is there, and says what to do in words of requests", async () => {
  const server = await startTestServer(await TestCluster.start());
  const first = await server.ask("POST", SUBMISSIONS, piOf({ submissionId: "once" }));
  const other = await server.ask("POST", SUBMISSIONS, piOf({ submissionId: "once", name: "other" }));
  expect(other.status).toBe(200);
  expect(other.body["id"]).toBe(first.body["id"]);
  expect((other.body["notices"] as string[]).join("\n")).toContain(`DELETE ${SUBMISSIONS}/${String(first.body["id"])}`);
});

test("a configuration may say that it is for cluster mode, and for no other", async () => {
  const server = await startTestServer(await TestCluster.start());
  const inMode = (mode: string): object => piOf({ conf: { "spark.submit.deployMode": mode } });
  expect((await server.ask("POST", SUBMISSIONS, inMode("cluster"))).status).toBe(201);
  const client = await server.ask("POST", SUBMISSIONS, inMode("client"));
  expect(client.status).toBe(422);
  expect(client.body["detail"]).toMatch(/^spark\.submit\.deployMode may not be set here/);
});

test("nothing is submitted with a query parameter, which nobody would read", async () => {
  const cluster = await TestCluster.start();
  const server = await startTestServer(cluster);
  const { status, body } = await server.ask("POST", `${SUBMISSIONS}?dryRun=true`, piOf());
  expect({ status, detail: body["detail"] }).toEqual({ status: 400, detail: 'there is no query parameter "dryRun"' });
  expect(await cluster.contents()).toEqual([]);
});

test("another type of body is not read", async () => {
  const cluster = await TestCluster.start();
  const server = await startTestServer(cluster);
  const asText = await server.ask("POST", SUBMISSIONS, JSON.stringify(piOf()), { "content-type": "text/plain" });
  expect(asText.status).toBe(415);
  expect(asText.body["hint"]).toContain("application/json");
  const long = await server.ask("POST", SUBMISSIONS, piOf({ name: "x".repeat(2 ** 20) }));
  expect(long.status).toBe(413);
  expect(long.body["detail"]).toContain("limits.requestBytes");
  expect(await cluster.contents()).toEqual([]);
});
