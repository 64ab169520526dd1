import { type KubeObjectLike, followLogs, isNotFound, resources, type ResourceType } from "@kindling/kube";
import {
  API_VERSION,
  OPERATOR_LABELS,
  type ScheduledSparkApplicationStatus,
  type SparkApplicationStatus,
} from "@kindling/spark-application";
import { APP_DIR } from "./applications.ts";
import { eventually, SHORT_LIVED, sparkImage, type TestNamespace } from "./test-cluster.ts";

type Pod = typeof resources.pods extends ResourceType<infer T> ? T : never;

/** A SparkApplication from the cluster. */
export interface OperatedApplication extends KubeObjectLike {
  readonly spec?: Readonly<Record<string, unknown>>;
  readonly status?: Partial<SparkApplicationStatus>;
}

export interface ScheduledApplication extends KubeObjectLike {
  readonly status?: Partial<ScheduledSparkApplicationStatus>;
}

export type Spec = Readonly<Record<string, unknown>>;

export interface Roles {
  readonly driver?: Spec;
  readonly executor?: Spec;
  readonly sparkConf?: Readonly<Record<string, string>>;
}

/**
 * The spec of a small Python application in the folder `applications`.
 *
 * @param more fields of the spec; those of `driver`, `executor` and `sparkConf` are added to the present ones
 */
export function smallSpec(
  version: string,
  script: string,
  { driver, executor, sparkConf, ...more }: Spec & Roles = {},
): Spec {
  const small = { cores: 1, coreRequest: "100m", memory: "512m" };
  const applications = { volumeMounts: [{ name: "applications", mountPath: APP_DIR }] };
  return {
    ...{ type: "Python", mode: "cluster", sparkVersion: version, image: sparkImage(version) },
    imagePullPolicy: "IfNotPresent",
    mainApplicationFile: `local://${APP_DIR}/${script}`,
    volumes: [{ name: "applications", configMap: { name: "applications" } }],
    sparkConf: { ...SHORT_LIVED, ...sparkConf },
    ...more,
    driver: { ...small, serviceAccount: "spark", ...applications, ...driver },
    executor: { ...small, ...applications, instances: 1, ...executor },
  };
}

/** The template of a driver without Spark, so that very many fit on a small node: it runs a command and ends. */
export function standIn(command: readonly string[]): Spec {
  const container = { name: "spark-kubernetes-driver", command };
  const small = { coreRequest: "10m", memory: "32m", memoryOverhead: "32m" };
  return { ...small, template: { spec: { containers: [container] } } };
}

/** The SparkApplications of a namespace, and all states that each had. */
export class OperatedApplications {
  readonly #namespace: TestNamespace;
  readonly #type: ResourceType<OperatedApplication>;
  readonly #states = new Map<string, string[]>();
  readonly #watching = new AbortController();
  readonly #watch: Promise<void>;

  private constructor(namespace: TestNamespace, type: ResourceType<OperatedApplication>, since: string | undefined) {
    this.#namespace = namespace;
    this.#type = type;
    this.#watch = this.#follow(since);
  }

  static async watch(namespace: TestNamespace): Promise<OperatedApplications> {
    const type = await namespace.client.resourceFor(API_VERSION, "SparkApplication");
    const { resourceVersion } = await namespace.client.listAll(type);
    return new OperatedApplications(namespace, type, resourceVersion);
  }

  async create(name: string, spec: Spec, metadata: Spec = {}, options: { dryRun?: boolean } = {}): Promise<void> {
    const object = { apiVersion: API_VERSION, kind: "SparkApplication", metadata: { ...metadata, name }, spec };
    await this.#namespace.client.create(this.#type, object, options);
  }

  async createScheduled(name: string, spec: Spec): Promise<void> {
    const type = await this.#namespace.client.resourceFor(API_VERSION, "ScheduledSparkApplication");
    const object = { apiVersion: API_VERSION, kind: "ScheduledSparkApplication", metadata: { name }, spec };
    await this.#namespace.client.create(type, object);
  }

  async edit(name: string, spec: Spec): Promise<void> {
    await this.#namespace.client.patch(this.#type, name, "merge", { spec });
  }

  async delete(name: string): Promise<void> {
    await this.#namespace.client.delete(this.#type, name);
  }

  /** @returns undefined if it does not exist */
  async find(name: string): Promise<OperatedApplication | undefined> {
    try {
      return await this.#namespace.client.get(this.#type, name);
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }

  async all(): Promise<readonly OperatedApplication[]> {
    return (await this.#namespace.client.listAll(this.#type)).items;
  }

  /** The states that an application had, in order; "" means without a status. */
  states(name: string): readonly string[] {
    return this.#states.get(name) ?? [];
  }

  /** The same for an application that has ended: the watch may be late. */
  async statesToTheEnd(name: string): Promise<readonly string[]> {
    return await eventually(`all states of ${name}`, () => {
      const states = this.states(name);
      return Promise.resolve(ENDED.includes(states.at(-1) ?? "") && states);
    });
  }

  /** Waits until an application is in one of some states. */
  async until(name: string, states: readonly string[], timeoutMs?: number): Promise<OperatedApplication> {
    let last: OperatedApplication | undefined;
    const look = async (): Promise<OperatedApplication | false> => {
      last = await this.find(name);
      if (last === undefined) return false;
      if (states.includes(stateOf(last))) return last;
      if (ENDED.includes(stateOf(last))) throw new Error(`${name} has ended`);
      return false;
    };
    try {
      return await eventually(`${name} ${states.join(" or ")}`, look, timeoutMs);
    } catch (error) {
      const status = JSON.stringify(last?.status)?.slice(0, LONGEST_STATUS);
      throw new Error(`${name}: ${this.states(name).join(" ")} ${status}`, { cause: error });
    }
  }

  async untilEnded(name: string, timeoutMs?: number): Promise<OperatedApplication> {
    return await this.until(name, ENDED, timeoutMs);
  }

  async pods(name: string, role: "driver" | "executor"): Promise<readonly Pod[]> {
    const labelSelector = `${OPERATOR_LABELS.appName}=${name},spark-role=${role}`;
    return (await this.#namespace.client.listAll(resources.pods, { labelSelector })).items;
  }

  /** The one driver of an application. */
  async driver(name: string): Promise<Pod> {
    return await eventually(`the driver of ${name}`, async () => (await this.pods(name, "driver"))[0]);
  }

  /** The log lines of the driver, to its end. */
  async log(name: string): Promise<readonly string[]> {
    const { metadata } = await this.driver(name);
    const lines: string[] = [];
    const options = { container: "spark-kubernetes-driver" };
    for await (const line of followLogs(this.#namespace.client, metadata?.name ?? "", options)) lines.push(line);
    return lines;
  }

  /** The reasons and messages of the events about an application. */
  async events(name: string): Promise<readonly string[]> {
    const { items } = await this.#namespace.client.listAll(resources.events);
    const own = items.filter(({ involvedObject }) => involvedObject.name === name);
    return own.map(({ reason = "", message = "" }) => `${reason}: ${message}`);
  }

  async stop(): Promise<void> {
    this.#watching.abort();
    await this.#watch;
  }

  async #follow(since: string | undefined): Promise<void> {
    let resourceVersion = since;
    const { signal } = this.#watching;
    while (!signal.aborted) {
      try {
        for await (const event of this.#namespace.client.watch(this.#type, { resourceVersion, signal })) {
          resourceVersion = event.resourceVersion;
          if (event.type === "ADDED" || event.type === "MODIFIED") this.#note(event.object);
        }
      } catch {
        // Ended by the test, or by a server that restarts; the states in between are lost.
      }
    }
  }

  #note(application: OperatedApplication): void {
    const name = application.metadata?.name ?? "";
    const states = this.#states.get(name) ?? [];
    const state = stateOf(application);
    if (states.at(-1) !== state) this.#states.set(name, [...states, state]);
  }
}

/** Stock's messages contain the whole output of spark-submit. */
const LONGEST_STATUS = 2_000;
const ENDED: readonly string[] = ["COMPLETED", "FAILED"];

export function stateOf({ status }: OperatedApplication): string {
  return status?.applicationState?.state ?? "";
}
