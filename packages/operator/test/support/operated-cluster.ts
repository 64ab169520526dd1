import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { openTerm, type OpenTerm } from "@kindling/controller";
import { createKubeClient, type KubeClient, loadClusterAccess } from "@kindling/kube";
import { systemOutside } from "@kindling/outside";
import { jsonLog } from "@kindling/service";
import { TestCluster, type TestClusterOptions } from "@kindling/test-cluster/test-cluster";
import { eventually } from "@kindling/test-kit/eventually";
import { kubeconfigFor } from "@kindling/test-kit/kubeconfig-file";
import type { Pod } from "kubernetes-types/core/v1.js";
import { onTestFinished } from "vitest";
import { parse } from "yaml";
import type { SparkApplicationStatus } from "@kindling/spark-application";
import type { ActivityAsker } from "../../src/connect-activity/ask-server.ts";
import type { OperatorSettings } from "../../src/flags/operator-settings.ts";
import { manifest } from "../../src/testing/manifest.ts";
import { testSettings } from "../../src/testing/test-settings.ts";
import { type Operator, startOperator } from "../../src/operator.ts";

const APPLICATIONS = "/apis/sparkoperator.k8s.io/v1beta2/namespaces/spark-jobs/sparkapplications";
const FOLDER = fileURLToPath(new URL("../../../../deploy/helm/kindling-operator/crds", import.meta.url));

/** The parts of a SparkApplication that tests read. */
export interface StoredApplication {
  readonly metadata: { readonly name: string; readonly uid: string; readonly generation: number };
  readonly spec: Readonly<Record<string, unknown>>;
  readonly status?: SparkApplicationStatus;
}

interface StoredEvent {
  readonly reason: string;
  readonly message: string;
  readonly involvedObject: { readonly name: string };
}

/** For a busy machine, and for specs of a megabyte. */
const SLOW = { timeout: 90_000 };

/** An embedded cluster with the operator's kinds. */
export class OperatedCluster {
  readonly cluster: TestCluster;

  private constructor(cluster: TestCluster) {
    this.cluster = cluster;
  }

  static async start(options: TestClusterOptions = {}): Promise<OperatedCluster> {
    const cluster = await TestCluster.start(options);
    for (const file of readdirSync(FOLDER)) {
      const definition = parse(readFileSync(`${FOLDER}/${file}`, "utf8")) as object;
      await cluster.send("POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", definition);
    }
    await eventually(() => cluster.send("GET", APPLICATIONS));
    return new OperatedCluster(cluster);
  }

  /** A client for one operator; closed when the test ends. */
  async client(): Promise<KubeClient> {
    const access = await loadClusterAccess({ env: {}, kubeconfigPath: kubeconfigFor(this.cluster) });
    const client = createKubeClient(access, { userAgent: "kindling-operator" });
    onTestFinished(() => client.close());
    return client;
  }

  /**
   * Starts an operator that leads; it stops when the test ends, or before.
   *
   * @param asker asks Connect servers what they do; by default Spark's UI, which pods without processes do not have
   */
  async operate(
    settings: Partial<OperatorSettings> = {},
    client?: KubeClient,
    asker?: ActivityAsker,
  ): Promise<RunningOperator> {
    const lines: string[] = [];
    const outside = systemOutside();
    const own = client ?? (await this.client());
    const log = jsonLog({ write: (line) => void lines.push(line) }, outside.clock, "debug");
    const operator = startOperator(testSettings(settings), {
      ...{ client: own, outside, log },
      ...(asker !== undefined && { asker }),
    });
    await operator.ready;
    const term = openTerm({ client: own, ...outside, log });
    operator.begin(term);
    const stop = async (): Promise<void> => {
      await term.end();
      await operator.stop();
    };
    onTestFinished(stop);
    return { operator, term, lines, stop };
  }

  async create(name: string, spec: Readonly<Record<string, unknown>> = {}): Promise<StoredApplication> {
    return (await this.cluster.send("POST", APPLICATIONS, manifest(name, spec))) as StoredApplication;
  }

  async application(name: string): Promise<StoredApplication> {
    return (await this.cluster.send("GET", `${APPLICATIONS}/${name}`)) as StoredApplication;
  }

  /** Edits a spec by a merge patch. */
  async edit(name: string, spec: Readonly<Record<string, unknown>>): Promise<StoredApplication> {
    return (await this.cluster.send("PATCH", `${APPLICATIONS}/${name}`, { spec })) as StoredApplication;
  }

  async editStatus(name: string, status: object): Promise<void> {
    await this.cluster.send("PATCH", `${APPLICATIONS}/${name}/status`, { status });
  }

  async remove(name: string): Promise<void> {
    await this.cluster.send("DELETE", `${APPLICATIONS}/${name}`);
  }

  /** Waits until an application is in a state. */
  async inState(name: string, state: string): Promise<StoredApplication> {
    return await eventually(async () => {
      const now = await this.application(name);
      const { applicationState } = now.status ?? {};
      if (applicationState?.state !== state)
        throw new Error(`${name} is ${applicationState?.state} (${applicationState?.errorMessage}), not ${state}`);
      return now;
    }, SLOW);
  }

  async pods(): Promise<Pod[]> {
    return await this.cluster.objects<Pod>("Pod");
  }

  /** The reasons of all events about an application, in the order of their creation. */
  async reasons(name: string): Promise<string[]> {
    return (await this.events(name)).map(({ reason }) => reason);
  }

  /** The events of an application besides those of its states. */
  async notices(name: string): Promise<string[]> {
    const events = await this.events(name);
    return events.filter(({ reason }) => reason === "SparkApplicationNotice").map(({ message }) => message);
  }

  /** All events about an application, in the order of their creation. */
  async events(name: string): Promise<StoredEvent[]> {
    const { items } = (await this.cluster.send("GET", "/api/v1/namespaces/spark-jobs/events")) as {
      items: StoredEvent[];
    };
    return items.filter((event) => event.involvedObject.name === name);
  }
}

export interface RunningOperator {
  readonly operator: Operator;
  readonly term: OpenTerm;
  readonly lines: readonly string[];
  readonly stop: () => Promise<void>;
}
