import { describe, expect, test } from "vitest";
import { kindling } from "../fixtures/kindling-process.ts";
import { refusal, said } from "../fixtures/refusal.ts";
import { scratchFolder } from "@kindling/test-kit/scratch-folder";
import { TestCluster } from "@kindling/test-cluster/test-cluster";
import { APP, conf, flagsFor } from "../fixtures/submission.ts";

const IMAGE = { "spark.kubernetes.container.image": "apache/spark:4.3.0" };
const TEMPLATE = "spark.kubernetes.driver.podTemplateFile";

describe("kindling submit refuses, and creates nothing,", () => {
  test.each<[string, readonly string[], RegExp, Readonly<Record<string, string>>?]>([
    ["an unknown flag", ["--exectuor-memory", "4g"], /unrecognized option '--exectuor-memory'/],
    ["a missing value", ["--class"], /--class: the value is missing/],
    ["a malformed conf", ["--conf", "spark.executor.memory"], /--conf spark\.executor\.memory: there is no '='/],
    ["no application", [], /must specify a primary resource/],
    [
      "a properties file that is not there",
      ["--properties-file", "absent.conf", ...APP],
      /--properties-file: .*absent\.conf cannot be read: it does not exist/,
    ],
    [
      "a properties file with a fault",
      ["--properties-file", "app.conf", ...APP],
      /app\.conf, line 2: \\u is not followed/,
      { "app.conf": "a=1\nb=\\u12\n" },
    ],
    [
      "a template that is not there",
      [...conf({ [TEMPLATE]: "absent.yaml" }), ...APP],
      /spark\.kubernetes\.driver\.podTemplateFile: \S*absent\.yaml cannot be read: it does not exist$/,
    ],
    [
      "a template with a fault",
      [...conf({ [TEMPLATE]: "t.yaml" }), ...APP],
      /podTemplateFile: t\.yaml: line 2, column 6: /,
      { "t.yaml": "spec:\n  a: b: c\n" },
    ],
    [
      "a template of something else",
      [...conf({ [TEMPLATE]: "t.yaml" }), ...APP],
      /kind is "Deployment", not Pod/,
      { "t.yaml": "kind: Deployment\nspec: {}\n" },
    ],
    [
      "a local file without a place to upload it to",
      ["--files", "a.txt", ...APP],
      /a\.txt \(spark\.files\) is on this machine; please specify spark\.kubernetes\.file\.upload\.path/,
      { "a.txt": "" },
    ],
    [
      "a local file that is not there",
      ["--files", "absent.txt", ...conf({ "spark.kubernetes.file.upload.path": "file:/tmp/never" }), ...APP],
      /absent\.txt \(spark\.files\) does not exist/,
    ],
    [
      "a place for uploads that is not supported",
      ["--files", "a.txt", ...conf({ "spark.kubernetes.file.upload.path": "ftp://host/x" }), ...APP],
      /spark\.kubernetes\.file\.upload\.path: files cannot be uploaded to ftp: from here/,
      { "a.txt": "" },
    ],
    [
      "a heap among the JVM's options",
      ["--driver-java-options", "-Da=b -Xmx1g", ...APP],
      /spark\.driver\.extraJavaOptions: the driver's heap cannot be set by a JVM option/,
    ],
    [
      "a heap among the JVM's default options",
      [...conf({ "spark.driver.defaultJavaOptions": "-Xmx1g" }), ...APP],
      /spark\.driver\.defaultJavaOptions: the driver's heap cannot be set/,
    ],
    [
      "a size that is none",
      ["--driver-memory", "lots", ...APP],
      /spark\.driver\.memory: "lots" is not a positive size/,
    ],
    [
      "a quantity that is none",
      [...conf({ "spark.kubernetes.driver.request.cores": "two" }), ...APP],
      /spark\.kubernetes\.driver\.request\.cores: "two" is not a CPU quantity/,
    ],
    [
      "a namespace whose name is none",
      [...conf({ "spark.kubernetes.namespace": "Team_A" }), ...APP],
      /spark\.kubernetes\.namespace: "Team_A" is not the name of a namespace/,
    ],
    [
      "an empty namespace",
      [...conf({ "spark.kubernetes.namespace": "" }), ...APP],
      /spark\.kubernetes\.namespace: "" is not the name of a namespace/,
    ],
    [
      "a pod whose name is none",
      [...conf({ "spark.kubernetes.driver.pod.name": "The_Driver" }), ...APP],
      /spark\.kubernetes\.driver\.pod\.name: "The_Driver" is not the name of a pod/,
    ],
    [
      "a label that Spark keeps for itself",
      [...conf({ "spark.kubernetes.driver.label.spark-role": "x" }), ...APP],
      /spark\.kubernetes\.driver\.label\.spark-role: .*reserved/,
    ],
    [
      "a secret reference that is none",
      [...conf({ "spark.kubernetes.driver.secretKeyRef.PASSWORD": "only-a-name" }), ...APP],
      /spark\.kubernetes\.driver\.secretKeyRef\.PASSWORD/,
    ],
    [
      "a volume of an unknown type",
      [...conf({ "spark.kubernetes.driver.volumes.floppy.a.mount.path": "/a" }), ...APP],
      /volume type floppy is not supported/,
    ],
    [
      "a boolean that is none",
      [...conf({ "spark.kubernetes.submission.waitAppCompletion": "perhaps" }), ...APP],
      /waitAppCompletion: "perhaps" is not true or false/,
    ],
    [
      "a time-out that is none",
      [...conf({ "spark.kubernetes.submission.requestTimeout": "soon" }), ...APP],
      /requestTimeout: "soon" is not a whole number/,
    ],
    [
      "an exit code policy that is none",
      [...conf({ "spark.kindling.submit.exitCode": "maybe" }), ...APP],
      /spark\.kindling\.submit\.exitCode: "maybe" is not one of driver, spark/,
    ],
    [
      "a Spark version that is none",
      [...conf({ "spark.kindling.sparkVersion": "newest" }), ...APP],
      /spark\.kindling\.sparkVersion: "newest" is no Spark version/,
    ],
    ["an output format that is none", ["-o", "xml", ...APP], /--output xml: must be yaml or json/],
    [
      "a reference to itself",
      [...conf({ "spark.kubernetes.driver.podTemplateFile": "${spark.a}", "spark.a": "${spark.a}" }), ...APP],
      /refers to itself/,
    ],
    [
      "a JVM class as a step",
      [...conf({ "spark.kubernetes.driver.pod.featureSteps": "com.example.Step" }), ...APP],
      /com\.example\.Step is a JVM class, which cannot run here/,
    ],
    ["a step that is not there", ["--steps", "no-such-step", ...APP], /--steps no-such-step: there is no such module/],
    [
      "a token that is no header",
      [...conf({ "spark.kubernetes.authenticate.submission.oauthToken": "a\nb" }), ...APP],
      /spark\.kubernetes\.authenticate\.submission\.oauthToken: its value holds characters/,
    ],
  ])("%s", async (_, args, message, files = {}) => {
    const cluster = await TestCluster.start();
    const folder = scratchFolder(files);
    const finished = await kindling(["submit", ...flagsFor(cluster), ...args], { cwd: folder.path });
    expect(said(finished)).toEqual(refusal(message));
    expect(cluster.api.writes).toEqual([]);
  });

  test.each<[string, readonly string[], RegExp]>([
    [
      "a size in Kubernetes' units",
      ["--executor-memory", "2Gi", ...APP],
      /spark\.executor\.memory: "2Gi" is not .*\nhint: Spark's units are short: 2g is the same/,
    ],
    [
      "a size with a fraction",
      ["--driver-memory", "1.5g", ...APP],
      /spark\.driver\.memory: "1\.5g" is not .*\nhint: .*: 1536m is the same/,
    ],
    [
      "such a size for a key that has no flag",
      [...conf({ "spark.driver.memoryOverhead": "1Gi" }), ...APP],
      /spark\.driver\.memoryOverhead: "1Gi" is not .*\nhint: .*: 1g is the same/,
    ],
    [
      "a part of a CPU for tasks",
      ["--executor-cores", "500m", ...APP],
      /spark\.executor\.cores: "500m" is not .*\nhint: .* is spark\.kubernetes\.executor\.request\.cores=500m/,
    ],
    [
      "a number of executors that is none",
      ["--num-executors", "-1", ...APP],
      /spark\.executor\.instances: "-1" is not .*\nhint: --num-executors takes a whole number from 1/,
    ],
    [
      "a size in typographic quotation marks",
      ["--executor-memory", "\u201C2g\u201D", ...APP],
      /spark\.executor\.memory: .* is not .*\nhint: leave out the quotation mark \u201C/,
    ],
    [
      "a flag with a long dash",
      ["\u2013-class", "a.B", ...APP],
      /unrecognized option '\u2013class': its dash \(\u2013\) is a long one\nhint: write --class, with two short ones/,
    ],
  ])("%s, and says what to write", async (_, args, wanted) => {
    const { code, stderr } = await kindling(["submit", "--dry-run", ...conf(IMAGE), ...args]);
    expect(code).toBe(1);
    expect(stderr).toMatch(wanted);
  });

  test("no image", async () => {
    const cluster = await TestCluster.start();
    const finished = await kindling(["submit", "--master", `k8s://${cluster.url}`, ...APP]);
    expect(said(finished)).toEqual(
      refusal(/spark\.kubernetes\.container\.image: must specify the driver container image/),
    );
    expect(finished.stderr).toMatch(/^hint: .*apache\/spark:/m);
  });
});

describe("the other commands refuse", () => {
  const server = ["--master", "k8s://http://127.0.0.1:1"];
  test.each<[readonly string[], RegExp]>([
    [["kill"], /which application\? name it by its name, its id or its driver pod/],
    [["kill", ...server, ":x"], /":x" names no application/],
    [["kill", ...server, "ns:"], /"ns:" names no application/],
    [["logs", ...server, " "], /" " names no application/],
    [["kill", ...server, "--grace-period", "soon", "a:b"], /--grace-period soon: must be a number of seconds/],
    [["kill", ...server, "--grace-period", "-1", "a:b"], /--grace-period/],
    [["kill", ...server, "a:b"], /cannot reach http:\/\/127\.0\.0\.1:1/],
    [["status"], /which application\?/],
    [["status", "-o", "xml", "a:b"], /--output xml: must be one of text, table, json, yaml/],
    [["status", "--nmaespace", "x", "a:b"], /Unknown option '--nmaespace'/],
    [["status", ...server, "a:b"], /cannot reach/],
    [["list", "--namespace"], /argument missing/],
    [["list", ...server], /cannot reach/],
    [["list", ...server, "etl"], /list takes no operands: etl/],
    [["list", "--conf", "x", ...server], /--conf x: there is no '='/],
    [["list", "--master", "yarn"], /--master yarn: a Kubernetes master URL must start with k8s:\/\//],
    [["list", "--context", "prod"], /context "prod" is asked for, and there is no kubeconfig/],
    [["logs"], /logs is about one application/],
    [["logs", "a:b", "c:d"], /logs is about one application/],
    [["logs", ...server, "a:b"], /cannot reach/],
    [["config", "no.such.key.at.all"], /no\.such\.key\.at\.all: no key/],
    [["config", "a", "b"], /config takes at most one operand: b/],
    [["completion"], /which shell\? bash, zsh and fish are/],
    [["completion", "tcsh"], /tcsh: not known; bash, zsh and fish are/],
    [["explain", "--no-such"], /unrecognized option '--no-such'/],
    [["explain", "--deploy-mode", "client", "a.py"], /in client mode/],
    [["submit", "--kill", "a:b", "--status", "c:d"], /--kill and --status cannot be given together/],
    [["submit", ...server, "--kill", "a:b"], /cannot reach/],
  ])("%j", async (args, message) => {
    const { code, stdout, stderr } = await kindling(args);
    expect(stderr).toMatch(new RegExp(`^error: .*${message.source}`, "m"));
    expect(stderr).not.toMatch(/^\s+at /m);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  });

  test("a command that there is not, with the one that is meant", async () => {
    const { code, stdout, stderr } = await kindling(["sumbit"]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toBe("error: there is no command 'sumbit'\nhint: did you mean submit?\n");
    expect((await kindling(["get"])).stderr).toContain("hint: did you mean list?");
  });

  test("a command of a package that is not installed, with the package", async () => {
    const { code, stderr } = await kindling(["dev", "up"], { env: { PATH: "" } });
    expect(code).toBe(1);
    expect(stderr).toBe(
      "error: there is no command 'dev'\nhint: it comes with @kindling/dev: npm install --global @kindling/dev\n",
    );
  });
});
