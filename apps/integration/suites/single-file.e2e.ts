import { execFileSync, spawn, spawnSync } from "node:child_process";
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { resources } from "@kindling/kube";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ROOT } from "../docs-commands/pages.ts";
import { RESTRICTED_CONTAINER, RESTRICTED_POD } from "../clusters/restricted.ts";
import { IS_INSTALLED, startStaging, type StagingService } from "../clusters/services.ts";
import { eventually, SHORT_LIVED, sparkImage, TestNamespace, TRIED_VERSIONS } from "../clusters/test-cluster.ts";

const [VERSION = ""] = TRIED_VERSIONS;
/** The nodes are taken to have the processor of this machine. */
const FILE = `kindling-linux-${process.arch}`;
const HAS_KUBECTL = spawnSync("kubectl", ["version", "--client"], { stdio: "ignore" }).status === 0;
const WORDS = 10;

describe.skipIf(!IS_INSTALLED || !HAS_KUBECTL)("the command as one file, where there is no Node", () => {
  let namespace: TestNamespace;
  let staging: StagingService;
  let folder: string;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "kindling-e2e-"));
    execFileSync(process.execPath, [join(ROOT, "deploy/single-file/build.mjs"), "--output", folder], { stdio: "pipe" });
    namespace = await TestNamespace.create("single-file");
    staging = await startStaging(namespace);
    await namespace.client.create(resources.serviceaccounts, {
      apiVersion: "v1",
      kind: "ServiceAccount",
      metadata: { name: "worker" },
    });
    for (const role of ["kindling-submitter", "spark-submitter"]) await bind(role);
    await startWorker();
    for (const [from, to] of [
      [join(folder, FILE), "kindling"],
      [join(ROOT, "apps/integration/demo/word-count.py"), "word-count.py"],
      [join(ROOT, "LICENSE"), "LICENSE"],
    ] as const) {
      await copy(from, to);
    }
  }, 300_000);
  afterAll(async () => {
    await staging.stop();
    await namespace.remove();
    rmSync(folder, { recursive: true, force: true });
  });

  async function bind(role: string): Promise<void> {
    const binding = await namespace.client.resourceFor("rbac.authorization.k8s.io/v1", "RoleBinding");
    await namespace.client.create(binding, {
      apiVersion: "rbac.authorization.k8s.io/v1",
      kind: "RoleBinding",
      metadata: { name: `worker-${role}` },
      roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name: role },
      subjects: [{ kind: "ServiceAccount", name: "worker", namespace: namespace.name }],
    } as Parameters<typeof namespace.client.create>[1]);
  }

  /** Starts a pod as that of an Airflow worker: with somebody else's image, and an account that may submit. */
  async function startWorker(): Promise<void> {
    await namespace.client.create(resources.pods, {
      apiVersion: "v1",
      kind: "Pod",
      metadata: { name: "worker" },
      spec: {
        serviceAccountName: "worker",
        restartPolicy: "Never",
        securityContext: RESTRICTED_POD,
        containers: [
          {
            name: "worker",
            image: sparkImage(VERSION),
            command: ["sleep", "600"],
            imagePullPolicy: "IfNotPresent",
            securityContext: RESTRICTED_CONTAINER,
          },
        ],
      },
    } as Parameters<typeof namespace.client.create>[1]);
    await eventually("the worker", async () => {
      const { status } = await namespace.client.get(resources.pods, "worker");
      return status?.phase === "Running";
    });
  }

  const inWorker = (...command: readonly string[]): string[] => [
    ...["exec", "--stdin", "--namespace", namespace.name, "worker", "--", ...command],
  ];

  /** Copies a file into the worker's folder /tmp, and makes it executable. */
  async function copy(from: string, name: string): Promise<void> {
    const input = openSync(from, "r");
    const script = `cat > /tmp/${name} && chmod 755 /tmp/${name}`;
    try {
      const child = spawn("kubectl", inWorker("sh", "-c", script), { stdio: [input, "ignore", "inherit"] });
      const code = await new Promise((resolve) => child.once("close", resolve));
      if (code !== 0) throw new Error(`${name} could not be copied into the worker`);
    } finally {
      closeSync(input);
    }
  }

  function run(...command: readonly string[]): { exit: number | null; out: string; err: string } {
    const { status, stdout, stderr } = spawnSync("kubectl", inWorker(...command), { encoding: "utf8", input: "" });
    return { exit: status, out: stdout, err: stderr };
  }

  test("the worker has no Node, and the file says what it is", () => {
    expect(run("sh", "-c", "command -v node nodejs npm").out).toBe("");
    expect(run("/tmp/kindling", "--version")).toMatchObject({ exit: 0, out: expect.stringMatching(/^kindling \d/) });
  });

  test("it submits the demo's application with its text, which counts the words", () => {
    const conf = {
      ...SHORT_LIVED,
      "spark.kubernetes.container.image": sparkImage(VERSION),
      "spark.kubernetes.authenticate.driver.serviceAccountName": "spark",
      "spark.kubernetes.driver.request.cores": "100m",
      "spark.kubernetes.executor.request.cores": "100m",
      "spark.driver.memory": "512m",
      "spark.executor.memory": "512m",
    };
    const flags = Object.entries(conf).map(([key, value]) => `--conf ${key}=${value}`);
    const ended = run(
      ...["sh", "-c"],
      `cd /tmp && ./kindling submit --master k8s://https://kubernetes.default.svc --namespace ${namespace.name} --name count ` +
        `${flags.join(" ")} --num-executors 2 --files LICENSE --logs word-count.py LICENSE ${WORDS}`,
    );
    expect(ended.exit, ended.err).toBe(0);
    const counted = ended.out.split("\n").filter((line) => /^ *\d+ [a-z]+$/.test(line));
    expect(counted, ended.out).toEqual(mostFrequentWords(readFileSync(join(ROOT, "LICENSE"), "utf8")));
  });
});

/** The lines that the demo's application prints. */
function mostFrequentWords(text: string): string[] {
  const counts = new Map<string, number>();
  for (const [word] of text.toLowerCase().matchAll(/[a-z]+/g)) counts.set(word, (counts.get(word) ?? 0) + 1);
  return [...counts]
    .toSorted(([one, a], [other, b]) => b - a || (one < other ? -1 : 1))
    .slice(0, WORDS)
    .map(([word, count]) => `${String(count).padStart(6)} ${word}`);
}
