import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { resources } from "@kindling/kube";
import type { TestNamespace } from "./test-cluster.ts";
import { SHORT_LIVED, sparkImage } from "./test-cluster.ts";

const SOURCES = fileURLToPath(new URL("../applications", import.meta.url));

/** Where the applications are in driver and executor containers. */
export const APP_DIR = "/opt/app";

export const TEXT = "to be or not to be\nthat is the question\n";
export const WORD_COUNTS = ["be 2", "is 1", "not 1", "or 1", "question 1", "that 1", "the 1", "to 2"].map(
  (line) => `COUNT ${line}`,
);

/** The folder with pod templates and other files of one suite. */
export interface Fixtures {
  readonly folder: string;
  /** The common configuration of all submissions of the suite. */
  readonly conf: Readonly<Record<string, string>>;
  /** The same, as flags. */
  readonly flags: readonly string[];
  remove(): void;
}

/**
 * Puts the test applications into a ConfigMap of the namespace, and writes pod templates that mount it, so that no image has
 * to be built.
 *
 * @param jar a compiled application, if there is one
 */
export async function prepareApplications(
  namespace: TestNamespace,
  version: string,
  jar?: Uint8Array,
): Promise<Fixtures> {
  const scripts = readdirSync(SOURCES).filter((name) => name.endsWith(".py"));
  const data = Object.fromEntries(scripts.map((name) => [name, readFileSync(join(SOURCES, name), "utf8")]));
  await namespace.client.create(resources.configmaps, {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: "applications" },
    data: { ...data, "text.txt": TEXT },
    ...(jar && { binaryData: { "word-count.jar": Buffer.from(jar).toString("base64") } }),
  } as Parameters<typeof namespace.client.create>[1]);

  const folder = mkdtempSync(join(tmpdir(), "kindling-e2e-"));
  for (const role of ["driver", "executor"]) writeFileSync(join(folder, `${role}.yaml`), podTemplate(role));
  const conf: Record<string, string> = {
    "spark.kubernetes.namespace": namespace.name,
    "spark.kubernetes.container.image": sparkImage(version),
    "spark.kubernetes.authenticate.driver.serviceAccountName": "spark",
    "spark.kubernetes.driver.podTemplateFile": join(folder, "driver.yaml"),
    "spark.kubernetes.executor.podTemplateFile": join(folder, "executor.yaml"),
    // Test clusters are small, and the applications are smaller.
    "spark.kubernetes.driver.request.cores": "100m",
    "spark.kubernetes.executor.request.cores": "100m",
    "spark.driver.memory": "512m",
    "spark.executor.memory": "512m",
    "spark.executor.instances": "2",
    ...SHORT_LIVED,
    "spark.kindling.sparkVersion": version,
  };
  return {
    folder,
    conf,
    flags: Object.entries(conf).flatMap(([key, value]) => ["--conf", `${key}=${value}`]),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

function podTemplate(role: string): string {
  return `apiVersion: v1
kind: Pod
metadata:
  labels:
    kindling-test: "true"
spec:
  containers:
    - name: spark-${role}
      env:
        - {name: FROM_TEMPLATE, value: ${role}-template}
      volumeMounts:
        - {name: applications, mountPath: ${APP_DIR}}
  volumes:
    - name: applications
      configMap: {name: applications}
`;
}

/** Applications with parts from the submitter's disk. */
export const STAGED_SOURCES = {
  python: readFileSync(join(SOURCES, "staged", "words.py"), "utf8"),
  addressed: readFileSync(join(SOURCES, "staged", "addressed.py"), "utf8"),
};

type Compiled<T> = T | { readonly reason: string };

/**
 * Compiles the JVM application against a Spark on this machine.
 *
 * @returns the jar, or the reason why there is none
 */
export function compileJar(version: string): Compiled<{ readonly jar: Uint8Array }> {
  return compiling(version, (compile) => ({ jar: compile(["WordCount.java"], ["WordCount.class"], "WordCount") }));
}

/** Compiles the JVM application that needs a second jar, and that jar. */
export function compileStagedJars(
  version: string,
): Compiled<{ readonly application: Uint8Array; readonly dependency: Uint8Array }> {
  const sources = ["staged/Tokenizer.java", "staged/StagedWords.java"];
  return compiling(version, (compile) => ({
    dependency: compile(sources, ["words"]),
    application: compile(sources, ["StagedWords.class"], "StagedWords"),
  }));
}

type Compile = (sources: readonly string[], classes: readonly string[], mainClass?: string) => Uint8Array;

function compiling<T extends object>(version: string, build: (compile: Compile) => T): Compiled<T> {
  const home = process.env["KINDLING_E2E_SPARK_HOME"]?.replaceAll("{version}", version);
  if (home === undefined) return { reason: "KINDLING_E2E_SPARK_HOME names no Spark to compile against" };
  const work = mkdtempSync(join(tmpdir(), "kindling-jar-"));
  const run = (program: string, ...args: string[]): void => void execFileSync(program, args, { stdio: "pipe" });
  try {
    return build((sources, classes, mainClass) => {
      const files = sources.map((source) => join(SOURCES, source));
      run("javac", "--release", "11", "-cp", join(home, "jars", "*"), "-d", work, ...files);
      const main = mainClass === undefined ? [] : ["--main-class", mainClass];
      const contents = classes.flatMap((name) => ["-C", work, name]);
      run("jar", "--create", "--file", join(work, "app.jar"), ...main, ...contents);
      return readFileSync(join(work, "app.jar"));
    });
  } catch (error) {
    return {
      reason: `no JDK, or no Spark ${version} in KINDLING_E2E_SPARK_HOME: ${String(error).split("\n")[0] ?? ""}`,
    };
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}
