import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { followLogs, resources } from "@kindling/kube";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { compileStagedJars, STAGED_SOURCES, TEXT, WORD_COUNTS } from "../clusters/applications.ts";
import { kindling, submissionIdIn, type Ended } from "../clusters/kindling.ts";
import { HAS_STAGING, startStaging, type StagingService } from "../clusters/services.ts";
import { eventually, SHORT_LIVED, sparkImage, TRIED_VERSIONS, TestNamespace } from "../clusters/test-cluster.ts";

describe.skipIf(!HAS_STAGING).each(TRIED_VERSIONS)("files of this machine on Spark %s", (version) => {
  let namespace: TestNamespace;
  let staging: StagingService;
  let folder: string;
  let ended: Ended | undefined;

  beforeAll(async () => {
    namespace = await TestNamespace.create(`staging-${version.replaceAll(".", "-")}`);
    staging = await startStaging(namespace);
    folder = mkdtempSync(join(tmpdir(), "kindling-e2e-"));
    writeFileSync(join(folder, "text.txt"), TEXT);
  });
  afterAll(async () => {
    await staging.stop();
    await namespace.remove();
    rmSync(folder, { recursive: true, force: true });
  });
  afterEach(async () => {
    if (ended !== undefined) await namespace.deleteApplication(submissionIdIn(ended.err).split(":")[1] ?? "");
    ended = undefined;
  });

  async function submit(...args: readonly string[]): Promise<Ended> {
    const conf = {
      "spark.kubernetes.namespace": namespace.name,
      "spark.kubernetes.container.image": sparkImage(version),
      "spark.kubernetes.authenticate.driver.serviceAccountName": "spark",
      "spark.kubernetes.driver.request.cores": "100m",
      "spark.kubernetes.executor.request.cores": "100m",
      "spark.driver.memory": "512m",
      "spark.executor.memory": "512m",
      "spark.executor.instances": "2",
      ...SHORT_LIVED,
      // So that their logs can be read afterwards.
      "spark.kubernetes.executor.deleteOnTermination": "false",
      "spark.kindling.sparkVersion": version,
    };
    const flags = Object.entries(conf).flatMap(([key, value]) => ["--conf", `${key}=${value}`]);
    ended = await kindling(["submit", ...flags, ...args], {}, folder);
    return ended;
  }

  const counts = ({ out }: Ended): string[] => out.split("\n").filter((line) => line.startsWith("COUNT "));

  /** Lines of the driver's and the executors' logs about downloads from the driver's file server. */
  async function fetchesFromDriver({ out }: Ended): Promise<string[]> {
    const { items } = await namespace.client.listAll(resources.pods, { labelSelector: "spark-role=executor" });
    expect(items).toHaveLength(2);
    const lines = out.split("\n");
    for (const { metadata } of items) {
      const log = followLogs(namespace.client, metadata?.name ?? "", { container: "spark-kubernetes-executor" });
      for await (const line of log) lines.push(line);
    }
    expect(lines.some((line) => line.includes("Starting executor ID"))).toBe(true);
    return lines.filter((line) => /spark:\/\/[^ ]*\/(jars|files|archives)\//.test(line));
  }

  const jars = compileStagedJars(version);
  test.skipIf("reason" in jars)(
    "a JVM application with a jar that it needs and a file runs; executors fetch nothing from the driver",
    async () => {
      if ("reason" in jars) return;
      writeFileSync(join(folder, "words.jar"), jars.application);
      writeFileSync(join(folder, "tokenizer.jar"), jars.dependency);
      const result = await submit(
        ...staging.flags,
        ...["--class", "StagedWords", "--jars", "tokenizer.jar", "--files", "text.txt", "--logs"],
        ...["--conf", "spark.kindling.localizer.sparkFilesMaxSize=0"],
        ...["--conf", "spark.log.level=INFO", "words.jar", "text.txt"],
      );
      expect(result.exit, result.err).toBe(0);
      expect(counts(result)).toEqual(WORD_COUNTS);
      expect(result.out).toContain("DRIVER READ 2 LINES");
      expect(result.out).toContain("file:/var/spark-data/jars/tokenizer.jar");
      expect(await fetchesFromDriver(result)).toEqual([]);
    },
  );

  test("a PySpark application with a module, a package, a file and an archive runs; the files go when its pods are gone", async () => {
    writeFileSync(join(folder, "tokens.py"), "def tokens(text):\n    return text.lower().split()\n");
    mkdirSync(join(folder, "package/shouting"), { recursive: true });
    writeFileSync(join(folder, "package/shouting/__init__.py"), "");
    writeFileSync(join(folder, "package/shouting/style.py"), "def shout(text):\n    return text.upper()\n");
    execFileSync("python3", ["-m", "zipfile", "-c", join(folder, "shouting.zip"), "shouting/"], {
      cwd: join(folder, "package"),
    });
    mkdirSync(join(folder, "archive/words"), { recursive: true });
    writeFileSync(join(folder, "archive/words/known.txt"), "to be or not");
    execFileSync("tar", ["-czf", join(folder, "dictionary.tgz"), "words"], { cwd: join(folder, "archive") });
    writeFileSync(join(folder, "words.py"), STAGED_SOURCES.python);

    const result = await submit(
      ...staging.flags,
      ...["--py-files", "tokens.py,shouting.zip", "--files", "text.txt", "--archives", "dictionary.tgz#dictionary"],
      ...["--logs", "--conf", "spark.log.level=INFO", "words.py", "text.txt"],
    );
    expect(result.exit, result.err).toBe(0);
    expect(counts(result)).toEqual(WORD_COUNTS);
    expect(result.out).toContain("DRIVER READ 2 LINES READY 4");
    expect(result.out).toContain("EXECUTORS 2 {('READY', 4)}");
    // Only the small file, for SparkFiles.get in the driver.
    const fetches = await fetchesFromDriver(result);
    expect(fetches).not.toEqual([]);
    expect(fetches.filter((line) => !line.includes("/files/text.txt"))).toEqual([]);

    const listed = async (): Promise<string> =>
      (await kindling(["staging", "ls", "-n", namespace.name, "-o", "name", ...staging.flags])).out;
    expect(await listed()).not.toBe("");
    await namespace.deleteApplication(submissionIdIn(result.err).split(":")[1] ?? "");
    await eventually("the bundle's end", async () => (await listed()) === "");
    await eventually("an empty namespace", async () => (await namespace.leftovers()).length === 0);
  });

  test("what the server has is not sent again", async () => {
    writeFileSync(join(folder, "quick.py"), "print('done')\n");
    writeFileSync(join(folder, "large.bin"), Buffer.alloc(8 * 1024 * 1024, version));
    const once = ["--files", "large.bin", "--conf", "spark.kubernetes.submission.waitAppCompletion=false"];
    const first = await submit(...staging.flags, ...once, "quick.py");
    expect(first.err).toMatch(/Staged 2 files \(8\.0 MiB\)$/m);
    await namespace.deleteApplication(submissionIdIn(first.err).split(":")[1] ?? "");
    const second = await submit(...staging.flags, ...once, "quick.py");
    expect(second.err).toMatch(/Staged 2 files \(8\.0 MiB\): sent 0 \(0 B\)/);
  });

  test("a check tells that both this machine and pods reach the server", async () => {
    writeFileSync(join(folder, "quick.py"), "print('done')\n");
    const result = await submit(...staging.flags, "--check", "-o", "json", "quick.py");
    expect(
      JSON.parse(result.out).map(({ ok }: { ok: boolean }) => ok),
      result.out,
    ).toEqual([true, true, true, true]);
    const lost = ["spark.kindling.staging.internalUri=http://127.0.0.1:9", "spark.kindling.localizer.timeout=5s"];
    const flags = lost.flatMap((entry) => ["--conf", entry]);
    const failed = await submit(...staging.flags, ...flags, "--check", "quick.py");
    expect(failed.exit).toBe(1);
    expect(failed.out).toMatch(/^FAILED the staging server http:\/\/127\.0\.0\.1:9 from a pod: /m);
    await eventually("an empty namespace", async () => (await namespace.leftovers()).length === 0);
    ended = undefined;
  });

  test("what a dry run of the server prints, applied as it is, runs with the staged files", async () => {
    // The last output of a program without a SparkSession may be lost: Spark's PythonRunner does not wait for it.
    const lines = TEXT.trimEnd().split("\n").length;
    writeFileSync(join(folder, "words.py"), `assert len(list(open('text.txt'))) == ${lines}\n`);
    const printed = ["--dry-run=server", "--show-secrets", "-o", "yaml"];
    const dry = await submit(...staging.flags, ...printed, "--files", "text.txt", "words.py");
    ended = undefined;
    expect(dry.exit, dry.err).toBe(0);
    const objects = await namespace.apply(dry.out);
    const driver = objects.find(({ kind }) => kind === "Pod")?.metadata?.name ?? "";
    const phase = await eventually("the application's end", async () => {
      const { status } = await namespace.client.get(resources.pods, driver);
      return status?.phase === "Succeeded" || status?.phase === "Failed" ? status.phase : undefined;
    });
    expect(phase).toBe("Succeeded");
    await namespace.delete(objects);
  });

  test("a few small files need no server", async () => {
    writeFileSync(
      join(folder, "small.py"),
      "import tokens\nassert tokens.tokens(open('text.txt').read())[:2] == ['to', 'be']\n",
    );
    writeFileSync(join(folder, "tokens.py"), "def tokens(text):\n    return text.lower().split()\n");
    const result = await submit(
      ...["--conf", "spark.kindling.staging.smallFiles=true", "--py-files", "tokens.py", "--files", "text.txt"],
      "small.py",
    );
    expect(result.exit, result.err).toBe(0);
  });
});
