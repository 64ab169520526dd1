import { beforeEach, describe, expect, test } from "vitest";
import { kindling, kubeconfigFor } from "../fixtures/kindling-process.ts";
import { scratchFolder } from "@kindling/test-kit/scratch-folder";
import { TestCluster } from "@kindling/test-cluster/test-cluster";
import { APP, conf, flagsFor } from "../fixtures/submission.ts";

const SECRET = "hunter2-Xq7";
const ENCODED = Buffer.from(SECRET).toString("base64");

/** Every way to pass a secret to a submission. */
const FLAGS = conf({
  "spark.kubernetes.authenticate.submission.oauthToken": SECRET,
  "spark.kubernetes.authenticate.driver.oauthToken": SECRET,
  "spark.hadoop.fs.s3a.access.key": SECRET,
  "spark.hadoop.fs.s3a.secret.key": SECRET,
  "spark.hadoop.fs.azure.account.key.x.dfs.core.windows.net": SECRET,
  "spark.hadoop.fs.azure.sas.container.x": SECRET,
  "spark.ssl.keyStorePassword": SECRET,
  "spark.my.passphrase": SECRET,
  "spark.kubernetes.driverEnv.AWS_SECRET_ACCESS_KEY": SECRET,
  "spark.kubernetes.driverEnv.API_KEY": SECRET,
  "spark.executorEnv.DB_PASSWD": SECRET,
  "spark.driver.extraJavaOptions": `-Xss4m -Djavax.net.ssl.keyStorePassword=${SECRET}`,
  "spark.jdbc.url": `jdbc:postgresql://app:${SECRET}@db/x`,
  "spark.redaction.regex": "(?i)private-thing",
  "spark.my.private-thing": SECRET,
  "other.password": SECRET,
});

let cluster: TestCluster;

beforeEach(async () => {
  cluster = await TestCluster.start({ token: SECRET });
});

async function saidBy(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<string> {
  const { stdout, stderr } = await kindling(args, { env });
  const said = stdout + stderr;
  expect(said).toMatch(/\S/);
  return said;
}

function secretsIn(said: string): string[] {
  return [SECRET, ENCODED].filter((secret) => said.includes(secret));
}

describe("no secret is told", () => {
  test("by a submission, however much it tells", async () => {
    cluster.script = () => ({ runMilliseconds: 0 });
    const said = await saidBy(["submit", ...flagsFor(cluster), ...FLAGS, "--verbose", "-o", "json", ...APP]);
    expect(said).toContain("spark.ssl.keyStorePassword=*********(redacted)");
    expect(said).toContain("spark.kubernetes.container.image=apache/spark:4.3.0");
    expect(secretsIn(said)).toEqual([]);
    expect(JSON.stringify(await cluster.objects("Secret"))).toContain(ENCODED);
  });

  test.each([
    ["unreachable", { kind: "reset", carriedOut: false }],
    ["forbidden", { kind: "status", status: 403, reason: "Forbidden", message: "no" }],
    ["unauthorized", { kind: "status", status: 401, reason: "Unauthorized", message: "Unauthorized" }],
    ["invalid", { kind: "status", status: 422, reason: "Invalid", message: "Secret is invalid" }],
  ] as const)("by a submission that fails: %s", async (_, fault) => {
    cluster.api.fault = () => fault;
    expect(secretsIn(await saidBy(["submit", ...flagsFor(cluster), ...FLAGS, "--verbose", ...APP]))).toEqual([]);
  });

  test.each([
    ["a setting", conf({ "spark.driver.cores": "many" })],
    ["a memory", ["--driver-memory", "x"]],
    ["a flag", [`--token=${SECRET}`]],
    ["a flag, far from any other", [`--completely-unknown-thing=${SECRET}`]],
    ["a volume", conf({ "spark.kubernetes.driver.volumes.nfs.x.mount.path": "/x" })],
    ["a token", conf({ "spark.kubernetes.authenticate.submission.oauthToken": `${SECRET}\u0007` })],
    ["a token beside its file", conf({ "spark.kubernetes.authenticate.submission.oauthTokenFile": "/nonexistent" })],
    ["a master", ["--master", `k8s://https://user:${SECRET}@host`]],
    ["a master that is no URL", ["--master", `k8s://ftp://user:${SECRET}@host`]],
  ])("by an error about %s", async (_, flags) => {
    const said = await saidBy(["submit", ...flagsFor(cluster), ...FLAGS, ...flags, "--verbose", ...APP]);
    expect(said).toMatch(/^error: /m);
    expect(secretsIn(said)).toEqual([]);
  });

  test("by kindling explain", async () => {
    for (const format of ["yaml", "json"]) {
      const said = await saidBy(["explain", ...flagsFor(cluster), ...FLAGS, "-o", format, ...APP]);
      expect(said).toContain("oauth-token");
      expect(said).toContain("spark.ssl.keyStorePassword");
      expect(secretsIn(said)).toEqual([]);
    }
    expect(secretsIn(await saidBy(["explain", "--executor", ...flagsFor(cluster), ...FLAGS, ...APP]))).toEqual([]);
  });

  test("by what would be handed over to spark-submit", async () => {
    const said = await saidBy([
      "submit",
      "--deploy-mode",
      "client",
      ...FLAGS,
      "--verbose",
      "app.py",
      "--password",
      SECRET,
    ]);
    expect(said).toContain("spark.ssl.keyStorePassword=*********(redacted)");
    expect(said).toContain("spark-submit --deploy-mode client");
    expect(secretsIn(said)).toEqual([]);
  });

  test.each([["list"], ["status"], ["kill"], ["logs"]])(
    "by kindling %s, which is given one to speak with the cluster",
    async (command) => {
      const reach = [
        "--master",
        `k8s://${cluster.url}`,
        "--verbose",
        ...conf({ "spark.kubernetes.authenticate.submission.oauthToken": SECRET }),
      ];
      const operands = command === "list" ? [] : ["spark-jobs:etl"];
      expect(secretsIn(await saidBy([command, ...reach, ...operands]))).toEqual([]);
      cluster.api.fault = () => ({ kind: "status", status: 401, reason: "Unauthorized", message: "Unauthorized" });
      expect(secretsIn(await saidBy([command, ...reach, ...operands]))).toEqual([]);
      expect(cluster.api.requests[0]?.headers.authorization).toBe(`Bearer ${SECRET}`);
    },
  );

  test("by a kubeconfig that is broken", async () => {
    for (const text of [
      `users: [{name: a, user: {token: ${SECRET}}}\n`,
      `users:\n- name: a\n  user:\n   token: ${SECRET}\n  x\n`,
    ]) {
      const said = await saidBy(["list", "--verbose"], { KUBECONFIG: scratchFolder().write("config", text) });
      expect(said).toMatch(/^error: /m);
      expect(secretsIn(said)).toEqual([]);
    }
    const said = await saidBy(["list", "--verbose"], {
      KUBECONFIG: kubeconfigFor({ url: "ftp://x" }, { token: SECRET }),
    });
    expect(secretsIn(said)).toEqual([]);
  });
});
