import { API_VERSION } from "../custom-resources.ts";
import type { SparkApplicationSpec } from "../spec/application-spec.ts";
import type { DriverSpec, ExecutorSpec } from "../spec/pod-spec.ts";
import type { ApplicationMeta, SparkApplication } from "../spark-application.ts";
import { type ApplicationState, NO_STATUS, type SparkApplicationStatus } from "../status.ts";

/** A valid application without any defaults. Each method returns a new builder. */
export function aSparkApplication(name: string = "pi"): SparkApplicationBuilder {
  return new SparkApplicationBuilder({
    apiVersion: API_VERSION,
    kind: "SparkApplication",
    metadata: {
      name,
      namespace: "jobs",
      uid: "3f0c",
      generation: 1,
      resourceVersion: "7",
      creationTimestamp: "2026-01-31T12:00:00Z",
      labels: {},
      annotations: {},
    },
    spec: {
      type: "Scala",
      sparkVersion: "4.0.4",
      mainApplicationFile: "local:///opt/spark/examples.jar",
      driver: {},
      executor: {},
    },
    status: NO_STATUS,
  });
}

/** Builds an application. */
export class SparkApplicationBuilder {
  readonly #application: SparkApplication;

  constructor(application: SparkApplication) {
    this.#application = application;
  }

  in(namespace: string): SparkApplicationBuilder {
    return this.metadata({ namespace });
  }

  uid(uid: string): SparkApplicationBuilder {
    return this.metadata({ uid });
  }

  labels(labels: Readonly<Record<string, string>>): SparkApplicationBuilder {
    return this.metadata({ labels: { ...this.#application.metadata.labels, ...labels } });
  }

  /** With other metadata in addition. */
  metadata(more: Partial<ApplicationMeta>): SparkApplicationBuilder {
    return this.#with({ metadata: { ...this.#application.metadata, ...more } });
  }

  driver(more: DriverSpec): SparkApplicationBuilder {
    return this.spec({ driver: { ...this.#application.spec.driver, ...more } });
  }

  executor(more: ExecutorSpec): SparkApplicationBuilder {
    return this.spec({ executor: { ...this.#application.spec.executor, ...more } });
  }

  /** With other fields of its spec in addition. */
  spec(more: Partial<SparkApplicationSpec>): SparkApplicationBuilder {
    return this.#with({ spec: { ...this.#application.spec, ...more } });
  }

  inState(state: ApplicationState): SparkApplicationBuilder {
    return this.status({ applicationState: { state } });
  }

  /** With other fields of its status in addition. */
  status(more: Partial<SparkApplicationStatus>): SparkApplicationBuilder {
    return this.#with({ status: { ...this.#application.status, ...more } });
  }

  build(): SparkApplication {
    return this.#application;
  }

  #with(more: Partial<SparkApplication>): SparkApplicationBuilder {
    return new SparkApplicationBuilder({ ...this.#application, ...more });
  }
}
