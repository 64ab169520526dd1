import { isDeepStrictEqual } from "node:util";
import { compareSpecs, covers } from "../additivity.ts";
import { isConfPrefix, type ConfKey, type ConfPrefix } from "../conf/conf-key.ts";
import type { SparkConf } from "../conf/spark-conf.ts";
import { emptyDriverSpec, type KubernetesDriverSpec } from "../driver-spec.ts";
import { messageOf } from "../errors.ts";
import { emptyExecutorSpec, type KubernetesExecutorSpec } from "../executor-spec.ts";
import type { Container, Pod } from "../kubernetes.ts";
import type { Step } from "../step.ts";
import type { ExecutorRequest, LocalFiles, Submission } from "../submission.ts";
import { sampleExecutor, sampleSubmission } from "./samples.ts";

/** The samples to test a step with; by default one of each. */
export interface StepExamination {
  readonly submissions?: readonly Submission[];
  readonly executors?: readonly ExecutorRequest[];
  /** Keys that the step may read without declaring them, because another step declares them. */
  readonly foreignKeys?: readonly string[];
}

/**
 * Tests a step: it must not change its input, must only add, must give the same result for the same input, must return plain
 * data, and must declare the keys and name the files that it reads. Each half is tested on an empty spec and on one from a
 * pod template.
 *
 * @returns the problems, one sentence each; an empty list for a correct step
 */
export function examineStep(step: Step, examination: StepExamination = {}): string[] {
  const problems: string[] = [];
  if (!/^[a-z0-9][a-z0-9-]*$/.test(step.name))
    problems.push(`its name ${JSON.stringify(step.name)} is not in kebab-case`);
  if (step.configureDriver === undefined && step.configureExecutor === undefined) {
    problems.push("it configures neither drivers nor executors");
  }
  const declared = [...(step.keys ?? []), ...(examination.foreignKeys ?? [])];
  for (const submission of examination.submissions ?? [sampleSubmission()]) {
    const { conf, undeclared } = watched(submission.conf, declared);
    const { files, unnamed } = watchedFiles(submission.files, step.localFiles?.(conf, submission.env) ?? []);
    for (const [start, spec] of driverStarts(submission)) {
      const run = (given: KubernetesDriverSpec): KubernetesDriverSpec | undefined =>
        step.configureDriver?.(given, { ...submission, conf, files });
      problems.push(...examineHalf(step, `driver, from ${start}`, spec, run));
    }
    problems.push(...undeclared().map((key) => `driver: it reads ${key} without declaring it in \`keys\``));
    problems.push(...unnamed().map((path) => `driver: it reads ${path} without naming it in \`localFiles\``));
  }
  for (const executor of examination.executors ?? [sampleExecutor()]) {
    const { conf, undeclared } = watched(executor.conf, declared);
    for (const [start, spec] of executorStarts()) {
      const run = (given: KubernetesExecutorSpec): KubernetesExecutorSpec | undefined =>
        step.configureExecutor?.(given, { ...executor, conf });
      problems.push(...examineHalf(step, `executor, from ${start}`, spec, run));
    }
    problems.push(...undeclared().map((key) => `executor: it reads ${key} without declaring it in \`keys\``));
  }
  return [...new Set(problems)];
}

function examineHalf<Spec extends object>(
  step: Step,
  half: string,
  spec: Spec,
  run: (spec: Spec) => Spec | undefined,
): string[] {
  const frozen = deepFreeze(structuredClone(spec));
  let first: Spec | undefined;
  let second: Spec | undefined;
  try {
    first = run(frozen);
    second = run(deepFreeze(structuredClone(spec)));
  } catch (error) {
    const isMutation = error instanceof TypeError && /read only|not extensible|Cannot delete/.test(error.message);
    return [
      isMutation
        ? `${half}: it changes the spec that it was given: ${error.message}`
        : `${half}: it throws: ${messageOf(error)}`,
    ];
  }
  if (first === undefined) return [];
  const problems: string[] = [];
  if (!isDeepStrictEqual(first, second)) problems.push(`${half}: two runs on the same input differ`);
  if (!isPlainData(first)) problems.push(`${half}: its result holds something that is no plain data`);
  for (const { kind, path } of compareSpecs(spec, first)) {
    const isDeclared = (step.overrides ?? []).some((pattern) => covers(pattern, path));
    if (kind !== "added" && !isDeclared) problems.push(`${half}: ${path} was there before and is ${kind}`);
  }
  return problems;
}

/** A configuration that records which keys were read. */
function watched(
  conf: SparkConf,
  declared: readonly (ConfKey<unknown> | ConfPrefix | string)[],
): { conf: SparkConf; undeclared: () => string[] } {
  const read = new Set<string>();
  const isDeclared = (name: string): boolean =>
    declared.some((known) => {
      if (typeof known === "string") return known === name;
      return isConfPrefix(known) ? name.startsWith(known.prefix) : known.key === name;
    });
  const noting = (name: string): void => {
    if (!isDeclared(name)) read.add(name);
  };
  return {
    undeclared: () => [...read],
    conf: {
      version: conf.version,
      entries: conf.entries,
      get(key) {
        noting(key.key);
        return conf.get(key);
      },
      has(key) {
        noting(key.key);
        return conf.has(key);
      },
      raw(key) {
        noting(key);
        return conf.raw(key);
      },
      withPrefix(prefix) {
        noting(prefix.prefix);
        return conf.withPrefix(prefix);
      },
    },
  };
}

/** Files that record each read of a file that the step did not name, and that is not in a folder that the step named. */
function watchedFiles(files: LocalFiles, named: readonly string[]): { files: LocalFiles; unnamed: () => string[] } {
  const allowed = new Set(named.map((path) => files.absolute(path)));
  const read = new Set<string>();
  const noting = (path: string): string => {
    const absolute = files.absolute(path);
    const isNamed = allowed.has(absolute) || allowed.has(absolute.slice(0, absolute.lastIndexOf("/")));
    if (!isNamed) read.add(path);
    return path;
  };
  return {
    unnamed: () => [...read],
    files: {
      absolute: (path) => files.absolute(path),
      isFile: (path) => files.isFile(noting(path)),
      listFiles: (path) => files.listFiles(noting(path)),
      size: (path) => files.size(noting(path)),
      readBytes: (path) => files.readBytes(noting(path)),
      readText: (path) => files.readText(noting(path)),
      readYaml: (path, origin, kind) => files.readYaml(noting(path), origin, kind),
    },
  };
}

const FILLED_CONTAINER: Container = {
  name: "main",
  image: "template/image:1",
  args: ["first"],
  env: [{ name: "FROM_TEMPLATE", value: "yes" }],
  ports: [{ name: "extra", containerPort: 9999 }],
  resources: { requests: { cpu: "250m", memory: "1Gi", "ephemeral-storage": "2Gi" }, limits: { memory: "3Gi" } },
  securityContext: { readOnlyRootFilesystem: true, allowPrivilegeEscalation: true },
  volumeMounts: [{ name: "scratch", mountPath: "/scratch" }],
  lifecycle: { preStop: { exec: { command: ["template"] } } },
};

const FILLED_POD: Pod = {
  apiVersion: "v1",
  kind: "Pod",
  metadata: {
    name: "template",
    labels: { team: "data", "spark-role": "nonsense" },
    annotations: { note: "from-template" },
  },
  spec: {
    containers: [{ name: "sidecar", image: "sidecar:2" }],
    nodeSelector: { pool: "spark" },
    restartPolicy: "Always",
    schedulerName: "other",
    serviceAccountName: "template-sa",
    terminationGracePeriodSeconds: 45,
    tolerations: [{ key: "spark", operator: "Exists", effect: "NoSchedule" }],
    volumes: [{ name: "scratch", emptyDir: { medium: "Memory" } }],
    imagePullSecrets: [{ name: "template-pull" }],
  },
};

function driverStarts({ conf }: Submission): [string, KubernetesDriverSpec][] {
  const empty = emptyDriverSpec(conf.entries);
  return [
    ["nothing", empty],
    ["a pod template", { ...empty, driverPod: FILLED_POD, driverContainer: FILLED_CONTAINER }],
  ];
}

function executorStarts(): [string, KubernetesExecutorSpec][] {
  const empty = emptyExecutorSpec();
  return [
    ["nothing", empty],
    ["a pod template", { ...empty, executorPod: FILLED_POD, executorContainer: FILLED_CONTAINER }],
  ];
}

function deepFreeze<T>(value: T): T {
  if (typeof value === "object" && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    Object.values(value).forEach(deepFreeze);
  }
  return value;
}

/** Whether a value stays the same after conversion to JSON and back; members that are undefined do not count. */
function isPlainData(value: unknown): boolean {
  if (value === undefined || value === null) return true;
  if (Array.isArray(value)) return value.every(isPlainData);
  if (typeof value === "object") {
    const prototype: unknown = Object.getPrototypeOf(value);
    return (prototype === Object.prototype || prototype === null) && Object.values(value).every(isPlainData);
  }
  return (
    typeof value === "string" || typeof value === "boolean" || (typeof value === "number" && Number.isFinite(value))
  );
}
