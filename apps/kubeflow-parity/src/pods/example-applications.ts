import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { NO_STATUS, type ScheduledSparkApplication, type SparkApplication } from "@kindling/spark-application";
import { parseAllDocuments } from "yaml";

/** The fields that an API server adds. */
const STORED = {
  namespace: "default",
  uid: "6a1c3f2e-0000-4000-8000-000000000000",
  generation: 1,
  resourceVersion: "1",
  creationTimestamp: "2026-08-01T00:00:00Z",
  labels: {},
  annotations: {},
};

type Example = SparkApplication | ScheduledSparkApplication | { readonly kind: "another one" };

/**
 * The applications in kubeflow's examples. A scheduled application gives the application that it makes.
 *
 * @param folder kubeflow's `examples` folder
 */
export function exampleApplications(folder: string): SparkApplication[] {
  const files = readdirSync(folder).filter((name) => name.endsWith(".yaml"));
  // One example has placeholders in the name of its image.
  const texts = files.map((name) => readFileSync(join(folder, name), "utf8").replace(/\{\w+\}/g, "example"));
  const objects = texts.flatMap((text) => parseAllDocuments(text).map((document) => document.toJS() as Example | null));
  return objects.flatMap((object) => {
    if (object?.kind === "SparkApplication") return [stored(object.metadata, object.spec)];
    return object?.kind === "ScheduledSparkApplication" ? [stored(object.metadata, object.spec.template)] : [];
  });
}

function stored(
  metadata: Pick<SparkApplication["metadata"], "name">,
  spec: SparkApplication["spec"],
): SparkApplication {
  return {
    apiVersion: "sparkoperator.k8s.io/v1beta2",
    kind: "SparkApplication",
    metadata: { ...STORED, ...metadata },
    spec,
    status: NO_STATUS,
  };
}
