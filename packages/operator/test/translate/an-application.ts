import {
  type ApplicationMeta,
  type DriverSpec,
  type ExecutorSpec,
  NO_STATUS,
  type SparkApplication,
  type SparkApplicationSpec,
} from "@kindling/spark-application";
import { translate } from "../../src/translate/translate.ts";
import type { Translation } from "../../src/translate/translation.ts";

export const SUBMISSION_ID = "3e0b7cf4-3a0f-8f1c-9a3b-0d5c9f6d7f11";

interface Parts {
  readonly spec?: Partial<SparkApplicationSpec>;
  readonly driver?: DriverSpec;
  readonly executor?: ExecutorSpec;
  readonly metadata?: Partial<ApplicationMeta>;
}

/** An application with these parts and the required fields, without any defaults. */
export function anApplication({ spec, driver = {}, executor = {}, metadata }: Parts = {}): SparkApplication {
  return {
    apiVersion: "sparkoperator.k8s.io/v1beta2",
    kind: "SparkApplication",
    metadata: {
      name: "pi",
      namespace: "team",
      uid: "0c8e5a6e-8a3b-4a33-a8b3-5a4d0f0f0c11",
      generation: 1,
      resourceVersion: "7",
      creationTimestamp: "2026-01-31T12:00:00Z",
      labels: {},
      annotations: {},
      ...metadata,
    },
    spec: {
      type: "Scala",
      mode: "cluster",
      sparkVersion: "4.0.4",
      mainApplicationFile: "local:///opt/app.jar",
      driver,
      executor,
      ...spec,
    },
    status: NO_STATUS,
  };
}

export function translated(parts: Parts = {}): Translation {
  return translate(anApplication(parts), { submissionId: SUBMISSION_ID });
}

/** The winning value of each key. */
export function confOf(parts: Parts = {}): Readonly<Record<string, string>> {
  return Object.fromEntries(translated(parts).conf);
}
