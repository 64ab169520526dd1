import { spawn, type ChildProcessByStdio } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import type { Readable, Writable } from "node:stream";
import { fileURLToPath } from "node:url";
import type { TestNamespace } from "./test-cluster.ts";

const scriptAt = (name: string): string => fileURLToPath(new URL(`../airflow/${name}`, import.meta.url));
const require = createRequire(import.meta.url);
const MANIFEST = require.resolve("@kindling/spark-submit/package.json");

/** The Python with Airflow and its providers apache-spark and cncf-kubernetes, if there is one. */
export const AIRFLOW_PYTHON: string | undefined = process.env["KINDLING_E2E_AIRFLOW"];

/** The operator's arguments; see Airflow's SparkSubmitOperator. */
export interface SparkSubmitTask {
  readonly application: string;
  readonly name: string;
  readonly conf: Readonly<Record<string, string>>;
  readonly application_args?: readonly string[];
  readonly track_driver_via_k8s_api?: boolean;
}

/** A task with a SparkApplication, and its DAG run; see Airflow's SparkKubernetesOperator and its sensor. */
export interface SparkKubernetesTask {
  readonly class: "SparkKubernetesOperator" | "SparkKubernetesSensor";
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly run_id: string;
  readonly try_number: number;
}

/** An Airflow with workers that find `spark-submit` on their PATH, and a connection to the test's cluster. */
export class Airflow {
  readonly #folder = mkdtempSync(join(tmpdir(), "kindling-e2e-airflow-"));
  readonly #namespace: TestNamespace;

  constructor(namespace: TestNamespace) {
    this.#namespace = namespace;
    symlinkSync(join(dirname(MANIFEST), "bin", "spark-submit.js"), join(this.#folder, "spark-submit"));
  }

  run(task: SparkSubmitTask): AirflowTask {
    const connection = {
      conn_type: "spark",
      host: `k8s://${this.#namespace.client.access.server}`,
      extra: { "deploy-mode": "cluster", namespace: this.#namespace.name },
    };
    const env = { AIRFLOW_CONN_SPARK_DEFAULT: JSON.stringify(connection) };
    return this.#start("run-task.py", { num_executors: 1, ...task }, env);
  }

  /** Runs a task of the provider cncf-kubernetes. */
  runOnKubernetes(task: SparkKubernetesTask): AirflowTask {
    // The trigger uses the file of KUBECONFIG, and refuses a connection that names another file as well.
    const connection = { conn_type: "kubernetes" };
    const env = { AIRFLOW_CONN_KUBERNETES_DEFAULT: JSON.stringify(connection) };
    return this.#start("run-spark-kubernetes.py", task, env);
  }

  #start(script: string, input: object, env: NodeJS.ProcessEnv): AirflowTask {
    const child = spawn(AIRFLOW_PYTHON ?? "python3", [scriptAt(script)], {
      env: {
        ...process.env,
        ...env,
        PATH: [this.#folder, dirname(process.execPath), process.env["PATH"]].join(delimiter),
        AIRFLOW_HOME: this.#folder,
        // How the providers themselves reach the cluster.
        AIRFLOW__KUBERNETES_EXECUTOR__IN_CLUSTER: "False",
        AIRFLOW__KUBERNETES_EXECUTOR__CONFIG_FILE: process.env["KUBECONFIG"] ?? "",
        // Logs without terminal formatting.
        NO_COLOR: "1",
      },
      stdio: ["pipe", "pipe", "pipe"],
    });
    child.stdin.end(JSON.stringify(input));
    return new AirflowTask(child);
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

/** One run of a task. */
export class AirflowTask {
  /** Airflow's log, including the lines of spark-submit. */
  log = "";
  /** The last line of the log, `TASK …`, with the lines after it. */
  readonly ended: Promise<string>;
  readonly #child: ChildProcessByStdio<Writable, Readable, Readable>;

  constructor(child: ChildProcessByStdio<Writable, Readable, Readable>) {
    this.#child = child;
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (chunk: string) => (this.log += chunk));
    }
    this.ended = new Promise((resolve, reject) => {
      child.on("error", reject);
      child.on("close", () => resolve(/^TASK [^]*/m.exec(this.log)?.[0] ?? `Airflow ended: ${this.log}`));
    });
  }

  /** The driver pod as the hook knows it. */
  get driverPod(): string | undefined {
    return /Identified spark driver pod: (\S+)/.exec(this.log)?.[1];
  }

  get applicationId(): string | undefined {
    return /Identified spark application id: (\S+)/.exec(this.log)?.[1];
  }

  /** Kills the task, as when a user marks it failed. */
  kill(): void {
    this.#child.kill("SIGTERM");
  }

  /** Simulates the loss of its worker, together with the process. */
  lose(): void {
    this.#child.kill("SIGKILL");
  }
}
