import { TestCluster } from "@kindling/test-cluster/test-cluster";
import { scratchFolder } from "@kindling/test-kit/scratch-folder";
import { expect, onTestFinished, test, vi } from "vitest";
import { piOf } from "./support/submissions.ts";
import { startTestServer } from "./support/test-server.ts";

const SUBMISSIONS = "/api/v1/submissions";
const SECRET = "a-secret-of-the-service";

/** A file of the service's machine. */
function fileOfTheService(): string {
  return scratchFolder().write("token", SECRET);
}

const path = "/etc/passwd";
const application = (resource: string): Record<string, unknown> => ({ application: { resource } });
const args = (...sparkSubmitArgs: string[]): Record<string, unknown> => ({
  ...{ application: undefined, name: undefined, conf: undefined },
  sparkSubmitArgs,
});
const conf = (key: string, value: string): Record<string, unknown> => ({ conf: { [key]: value } });

const OF_THE_SERVICE: readonly [string, Record<string, unknown>][] = [
  ["the application itself", application(`file://${path}`)],
  ["the application by a bare path", application(path)],
  ["the application by a relative path", application("app.py")],
  ["a jar", { jars: [`file://${path}`] }],
  ["a file by a bare path", { files: ["s3a://bucket/a", path] }],
  ["an archive by another way of writing", { archives: [`FILE:${path}#x`] }],
  ["a Python file by a pattern", { pyFiles: ["/etc/*.conf"] }],
  ["a list of files with a reference", conf("spark.files", "${env:HOME}/.kube/config")],
  ["a pod template", conf("spark.kubernetes.driver.podTemplateFile", path)],
  ["an executor's pod template", conf("spark.kubernetes.executor.podTemplateFile", path)],
  ["a pod template of an older API", conf("spark.kubernetes.scheduler.volcano.podGroupTemplateFile", path)],
  ["a keytab", conf("spark.kerberos.keytab", path)],
  ["a krb5.conf", conf("spark.kubernetes.kerberos.krb5.path", path)],
  ["the service's token", conf("spark.kubernetes.authenticate.submission.oauthTokenFile", path)],
  ["the driver's certificate", conf("spark.kubernetes.authenticate.driver.clientKeyFile", path)],
  ["a staging token", conf("spark.kindling.staging.tokenFile", path)],
  ["Spark's home", conf("spark.home", "/etc")],
  ["steps", conf("spark.kindling.steps", "./evil.mjs")],
  ["another context", conf("spark.kubernetes.context", "production")],
  ["another cluster", conf("spark.master", "k8s://https://elsewhere")],
  ["another token", conf("spark.kubernetes.authenticate.submission.oauthToken", "x")],
  ["another staging server", conf("spark.kindling.staging.uri", "http://169.254.169.254/")],
  [
    "packages, resolved by the service",
    { conf: { "spark.jars.packages": "a:b:1", "spark.kindling.packages.resolve": "submitter" } },
  ],
  ["a properties file", args("--properties-file", path, "local:///a.jar")],
  ["another properties file", args("--extra-properties-file", path, "local:///a.jar")],
  ["steps by a flag", args("--steps", "./evil.mjs", "local:///a.jar")],
  ["a context by a flag", args("--context", "x", "local:///a.jar")],
  ["a dry run with secrets", args("--dry-run", "--show-secrets", "local:///a.jar")],
  ["the end of another's application", args("--kill", "kube-system:*")],
];

test("what is of the service's machine or cluster is refused", async () => {
  const cluster = await TestCluster.start();
  const server = await startTestServer(cluster);
  for (const [what, members] of OF_THE_SERVICE) {
    const { status, text } = await server.ask("POST", SUBMISSIONS, piOf(members));
    expect(status, `${what}: ${text}`).toBe(422);
    expect(text, what).not.toContain("root:");
  }
  expect(await cluster.contents()).toEqual([]);
});

test("no file of the service's machine can be read through any key that names one", async () => {
  const file = fileOfTheService();
  const cluster = await TestCluster.start();
  const server = await startTestServer(cluster);
  const keys = [
    "spark.kubernetes.driver.podTemplateFile",
    "spark.kerberos.keytab",
    "spark.yarn.keytab",
    "spark.files",
    "spark.jars",
    "spark.submit.pyFiles",
    "spark.archives",
    "spark.kubernetes.kerberos.krb5.path",
    "spark.kubernetes.authenticate.driver.caCertFile",
    "spark.kubernetes.authenticate.driver.oauthTokenFile",
    "spark.kindling.scheduler.caFile",
  ];
  for (const key of keys) {
    const { text } = await server.ask("POST", SUBMISSIONS, piOf({ conf: { [key]: file } }));
    expect(text, key).not.toContain(SECRET);
  }
  const everything = JSON.stringify(await Promise.all([cluster.objects("ConfigMap"), cluster.objects("Secret")]));
  expect(everything).not.toContain(SECRET);
  expect(everything).not.toContain(Buffer.from(SECRET).toString("base64"));
});

test("the environment of the service is not to be had", async () => {
  vi.stubEnv("KINDLING_TEST_OF_SERVICE", SECRET);
  onTestFinished(() => void vi.unstubAllEnvs());
  const cluster = await TestCluster.start();
  const server = await startTestServer(cluster);
  await server.ask("POST", SUBMISSIONS, piOf({ conf: { "spark.x": "${env:KINDLING_TEST_OF_SERVICE}" } }));
  const everything = JSON.stringify([await cluster.objects("ConfigMap"), await cluster.objects("Pod")]);
  expect(everything).not.toContain(SECRET);
});

test.each<[string, Record<string, unknown>]>([
  ["by the member", { namespace: "elsewhere" }],
  ["by the key", { namespace: undefined, conf: { "spark.kubernetes.namespace": "elsewhere" } }],
  [
    "by a reference",
    { namespace: undefined, conf: { "spark.kubernetes.namespace": "${spark.x}", "spark.x": "elsewhere" } },
  ],
  ["by a path", { namespace: "spark-jobs/../elsewhere" }],
  [
    "by a pod template",
    { driverTemplate: { metadata: { namespace: "elsewhere" }, spec: { containers: [{ name: "a" }] } } },
  ],
])("nothing is made in a namespace that is not served, %s", async (_, members) => {
  const cluster = await TestCluster.start();
  const server = await startTestServer(cluster, { settings: ["--cluster-namespaces", "spark-jobs"] });
  const { status } = await server.ask("POST", SUBMISSIONS, piOf(members));
  const made = await cluster.objects("Pod");
  expect(made.filter(({ metadata }) => metadata.namespace !== "spark-jobs")).toEqual([]);
  expect([422, 201]).toContain(status);
  expect(made).toHaveLength(status === 201 ? 1 : 0);
});

test("what a key says cannot lead around the member that the right was asked for", async () => {
  const cluster = await TestCluster.start();
  const server = await startTestServer(cluster);
  const { status, body } = await server.ask(
    "POST",
    SUBMISSIONS,
    piOf({ conf: { "spark.kubernetes.namespace": "elsewhere" } }),
  );
  expect({ status, namespace: body["namespace"] }).toEqual({ status: 201, namespace: "spark-jobs" });
});

test("a page of a browser that has its own name lead here is not answered", async () => {
  const cluster = await TestCluster.start();
  const server = await startTestServer(cluster);
  const { request } = await import("node:http");
  const status = await new Promise((resolve, reject) => {
    const asked = request(new URL(SUBMISSIONS, server.uri), { headers: { host: "evil.example:80" } }, (answer) => {
      answer.resume();
      resolve(answer.statusCode);
    });
    asked.on("error", reject).end();
  });
  expect(status).toBe(403);
});

test("secrets of a submission are neither answered nor logged", async () => {
  const cluster = await TestCluster.start();
  const server = await startTestServer(cluster);
  const secrets = {
    "spark.hadoop.fs.s3a.secret.key": SECRET,
    "spark.driver.memory": SECRET,
    "spark.my.password": SECRET,
  };
  const { text, status } = await server.ask("POST", SUBMISSIONS, piOf({ conf: secrets }));
  expect(status).toBe(422);
  expect(text).not.toContain(SECRET);
  expect(server.lines.join("\n")).not.toContain(SECRET);
});

test("whoever runs the service may deny further keys", async () => {
  const cluster = await TestCluster.start();
  const server = await startTestServer(cluster, {
    settings: ["--submit-denied-keys", "spark.kubernetes.driver.label.*"],
  });
  const { status, body } = await server.ask(
    "POST",
    SUBMISSIONS,
    piOf({ conf: { "spark.kubernetes.driver.label.tier": "gold" } }),
  );
  expect(status).toBe(422);
  expect(body["detail"]).toBe(
    "spark.kubernetes.driver.label.tier may not be set here: the service's submit.deniedKeys says so",
  );
});
