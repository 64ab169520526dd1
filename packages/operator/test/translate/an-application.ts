import type {
  ApplicationMeta,
  DriverSpec,
  ExecutorSpec,
  SparkApplication,
  SparkApplicationSpec,
} from "@kindling/spark-application";
import { aSparkApplication } from "@kindling/spark-application/testing";
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
export function anApplication({ spec = {}, driver = {}, executor = {}, metadata = {} }: Parts = {}): SparkApplication {
  return aSparkApplication()
    .in("team")
    .uid("0c8e5a6e-8a3b-4a33-a8b3-5a4d0f0f0c11")
    .metadata(metadata)
    .spec({ mode: "cluster", mainApplicationFile: "local:///opt/app.jar", driver, executor, ...spec })
    .build();
}

export function translated(parts: Parts = {}): Translation {
  return translate(anApplication(parts), { submissionId: SUBMISSION_ID });
}

/** The winning value of each key. */
export function confOf(parts: Parts = {}): Readonly<Record<string, string>> {
  return Object.fromEntries(translated(parts).conf);
}
