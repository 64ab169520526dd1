import { isKindlingError } from "@kindling/core-spec";
import fc from "fast-check";
import { describe, expect, onTestFinished, test } from "vitest";
import { FLAGS, takesValue } from "@kindling/spark-arguments";
import { keyReference } from "../../src/commands/key-reference.ts";
import type { Env } from "@kindling/outside";
import { caught, caughtFrom } from "@kindling/test-kit/caught";
import { deploymentBy, plannedBy } from "../fixtures/planned-arguments.ts";
import { hadoopSite } from "@kindling/test-kit/hadoop-site";
import { scratchFolder } from "@kindling/test-kit/scratch-folder";
import { conf } from "../fixtures/submission.ts";
import { jarWithManifest, zipFile } from "@kindling/test-kit/zip-file";

const CONNECT_SERVER = "org.apache.spark.sql.connect.service.SparkConnectServer";
const IMAGE = conf({ "spark.kubernetes.container.image": "apache/spark:4.3.0" });

function planned(
  args: readonly string[],
  env: Env = {},
  cwd = "/",
  notices: string[] = [],
): ReturnType<typeof plannedBy> {
  return plannedBy([...IMAGE, ...args], { env, cwd, notices });
}

describe("what is not for Kubernetes in cluster mode is left to spark-submit", () => {
  test.each([
    [["--master", "local[*]"], "local[*] is no Kubernetes master"],
    [["--master", "yarn", "--deploy-mode", "cluster"], "yarn is no Kubernetes master"],
    [["--master", "spark://h:7077"], "spark://h:7077 is no Kubernetes master"],
    [["--deploy-mode", "client"], "in client mode the driver runs on this machine"],
    [["--master", "k8s://h", "--deploy-mode", "client"], "in client mode the driver runs on this machine"],
    [["--remote", "sc://h"], "--remote is a connection from this machine"],
  ])("%j: %s", (args, reason) => {
    expect(deploymentBy([...args, "app.py"])).toEqual({ kind: "spark-submit", reason });
  });

  test.each([
    [[]],
    [["--master", "k8s://h"]],
    [["--deploy-mode", "cluster"]],
    [["--master", "k8s://h", "--deploy-mode", "cluster"]],
    [["--conf", "spark.kindling.submit.server=true", "--class", CONNECT_SERVER, "spark-internal"]],
  ])("%j is not", (args) => {
    expect(deploymentBy([...args, "app.py"]).kind).toBe("kubernetes");
  });
});

describe("what cannot be is refused", () => {
  test.each([
    [
      ["--master", "kubernetes://h", "app.py"],
      "--master kubernetes://h: must be yarn or start with spark, k8s, or local",
    ],
    [
      ["--master", "local", "--deploy-mode", "cluster", "app.py"],
      "--deploy-mode cluster is not compatible with --master local",
    ],
    [["--deploy-mode", "cloud", "app.py"], "--deploy-mode cloud: must be either client or cluster"],
    [["--remote", "sc://h", "--master", "local", "app.py"], "--remote cannot be given with --master or --deploy-mode"],
    [["spark-shell"], "cluster deploy mode is not applicable to Spark shells"],
    [
      ["--class", "org.apache.spark.sql.hive.thriftserver.HiveThriftServer2", "spark-internal"],
      "cluster deploy mode is not applicable to the Spark Thrift server",
    ],
    [
      ["--class", CONNECT_SERVER, "spark-internal"],
      "cluster deploy mode is not applicable to the Spark Connect server",
    ],
    [
      ["--conf", "spark.kindling.submit.server=true", "spark-shell"],
      "cluster deploy mode is not applicable to Spark shells",
    ],
    [[], "must specify a primary resource (JAR or Python or R file)"],
  ])("%j", (args, message) => {
    expect(caughtFrom(() => deploymentBy(args))).toMatchObject({ code: "ARGUMENT_INVALID", message });
  });
});

describe("the main class", () => {
  const UPLOAD = conf({ "spark.kubernetes.file.upload.path": "file:/shared" });

  test("of a local jar is its manifest's, and does not name the application", async () => {
    const { path } = scratchFolder({ "app.jar": jarWithManifest("Main-Class: org.example.Main") });
    const { gathered, plan } = await planned([...UPLOAD, "app.jar"], {}, path);
    expect(gathered.input.mainApplication).toMatchObject({ language: "java", mainClass: "org.example.Main" });
    expect(plan.application.name).toBe("app.jar");
    expect(plan.objects.pod.spec?.containers?.[0]?.args).toContain("org.example.Main");
  });

  test.each<[string, string, Readonly<Record<string, string | Uint8Array>>, string, RegExp]>([
    [
      "of a jar that is not there",
      "app.jar",
      {},
      "FILE_UNREADABLE",
      /^failed to get the main class from file:.*app\.jar: ENOENT/,
    ],
    [
      "of a folder",
      "folder",
      { "folder/x": "" },
      "FILE_UNREADABLE",
      /^failed to get the main class from file:.*folder\/: EISDIR/,
    ],
    ["of what is no jar", "app.jar", { "app.jar": "text" }, "FILE_UNREADABLE", /it is no jar file$/],
    [
      "of a jar without a manifest",
      "app.jar",
      { "app.jar": zipFile([{ name: "a", content: "" }]) },
      "ARGUMENT_INVALID",
      /^no main class is set in file:/,
    ],
    [
      "of a jar in the image",
      "local:///opt/app.jar",
      {},
      "ARGUMENT_INVALID",
      /^failed to get the main class from local:\/\/\/opt\/app\.jar, which is not on this machine$/,
    ],
    ["of a remote jar", "s3a://b/app.jar", {}, "ARGUMENT_INVALID", /which is not on this machine$/],
  ])("%s must be given", async (_, resource, files, code, message) => {
    const error = await caught(planned([...UPLOAD, resource], {}, scratchFolder(files).path));
    expect(error).toMatchObject({ code, message: expect.stringMatching(message), hint: "specify it with --class" });
    await expect(planned([...UPLOAD, "--class", "C", resource], {}, scratchFolder(files).path)).resolves.toBeDefined();
  });
});

describe("the submitter's user", () => {
  const userOf = async (env: Env, args: readonly string[] = []): Promise<string> =>
    (await planned([...args, "local:///app.py"], env)).gathered.input.user;

  test("is SPARK_USER, else whom it stands in for, else HADOOP_USER_NAME, else the system's", async () => {
    const proxy = ["--proxy-user", "proxy"];
    expect(await userOf({ SPARK_USER: "spark", HADOOP_USER_NAME: "hadoop" }, proxy)).toBe("spark");
    expect(await userOf({ HADOOP_USER_NAME: "hadoop" }, proxy)).toBe("proxy");
    expect(await userOf({ HADOOP_USER_NAME: "hadoop" })).toBe("hadoop");
    expect(await userOf({})).not.toBe("");
  });

  test.skipIf(process.getuid?.() !== 0)(
    "is the number of one whom the system does not know, as in many containers",
    async () => {
      process.seteuid?.(54_321);
      onTestFinished(() => process.seteuid?.(0));
      expect(await userOf({})).toBe("54321");
    },
  );
});

describe("with Hadoop's security", () => {
  const site = hadoopSite({ "hadoop.security.authentication": "kerberos" });
  const optional = conf({
    "spark.kindling.kerberos.tokens": "optional",
    "spark.hadoop.fs.defaultFS": "hdfs://nn",
    "spark.kubernetes.kerberos.krb5.configMapName": "krb5",
  });

  test("a submission without a ticket goes on if that is wanted", async () => {
    const { path } = scratchFolder({ "core-site.xml": site });
    const notices: string[] = [];
    // SparkSubmit.setRMPrincipal asks Hadoop for the user, and not SPARK_USER.
    const env = {
      HADOOP_CONF_DIR: path,
      HADOOP_PROXY_USER: "jane",
      SPARK_USER: "other",
      KRB5CCNAME: `${path}/none`,
    };
    const { gathered } = await planned([...optional, "local:///app.py"], env, "/", notices);
    expect(notices).toEqual([expect.stringContaining("no delegation tokens of Hadoop are handed to the driver")]);
    expect(gathered.input.entries["spark.hadoop.yarn.resourcemanager.principal"]).toBe("jane");
  });
});

describe("whatever is asked for", () => {
  const nasty = fc.oneof(
    fc.constantFrom(
      "",
      " ",
      "-1",
      "0",
      "1",
      "true",
      "1g",
      "a,b",
      "a.b.c",
      "*",
      "{a,b}",
      "[",
      "{",
      "#",
      "a#b#c",
      "%",
      "%FF",
      "file:%",
      "file:///",
      "file:/%zz",
      "../..",
      "/etc/passwd/x",
      "local://",
      "://",
      "k8s://",
      "${env:HOME}",
      "${spark.app.name}",
      "${",
      "\u0000",
      "日本",
      "=",
      "a=b",
      "a:b",
      "__proto__",
      "constructor",
      "x".repeat(300),
      "OnDemand",
      "spark-internal",
      "pyspark-shell",
      "a.py",
      "b.R",
      "c.jar",
    ),
    fc.string({ unit: "binary", maxLength: 12 }),
  );
  const flag = fc
    .constantFrom(
      ...FLAGS.filter(({ name }) => !["--conf", "--version", "--steps", "--properties-file"].includes(name)),
    )
    .chain((known): fc.Arbitrary<string[]> =>
      takesValue(known) ? nasty.map((value) => [known.name, value]) : fc.constant([known.name]),
    );
  const key = fc
    .constantFrom(
      ...keyReference()
        .map((entry) => entry.key)
        .filter((name) => name !== "spark.kindling.steps"),
    )
    .chain((name) => nasty.map((rest) => name.replace(/<.*$/, rest)));
  const setting = fc.tuple(key, nasty).map(([name, value]) => ["--conf", `${name}=${value}`]);
  const resource = fc.oneof(
    { weight: 5, arbitrary: fc.constantFrom("a.py", "c.jar", "local:///opt/b.R", "local:///opt/app.py") },
    { weight: 1, arbitrary: nasty },
  );
  const settings = fc.array(fc.oneof(flag, setting), { maxLength: 4 });
  const commandLine = fc.tuple(settings, resource, fc.array(nasty, { maxLength: 3 }));

  test("it is planned, or left to spark-submit, or refused in one line that is made for the user", async () => {
    const { path } = scratchFolder({ "a.py": "", "c.jar": jarWithManifest("Main-Class: M") });
    const { path: sparkConfDir } = scratchFolder();
    await fc.assert(
      fc.asyncProperty(commandLine, async ([flags, app, appArgs]) => {
        const args = [
          ...conf({ "spark.kubernetes.file.upload.path": "file:/shared" }),
          ...flags.flat(),
          app,
          ...appArgs,
        ];
        let refusal: unknown;
        try {
          await planned(args, { SPARK_CONF_DIR: sparkConfDir }, path);
        } catch (error) {
          refusal = error;
        }
        if (refusal === undefined) return;
        if (!isKindlingError(refusal) || refusal.code === "INTERNAL") throw refusal;
        expect(refusal.message).toMatch(/\S/);
      }),
      { numRuns: 1000 },
    );
  });
});
