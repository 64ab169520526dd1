import { OPERATOR_LABELS, type SparkApplication } from "@kindling/spark-application";
import { isAtLeastMajor } from "../validation/semantic-version.ts";
import { entriesOf, entry, entryOfText } from "./conf-entries.ts";
import type { Role } from "./roles.ts";
import type { ConfEntry } from "./translation.ts";

/** Labels with this prefix are for the object itself, and not for its pods. */
const KUEUE_PREFIX = "kueue.x-k8s.io/";

/** Driver's conf (kubeflow/spark-operator v2.5.2, internal/controller/sparkapplication/submission.go, `driverConfOption`). */
export function driverConf(application: SparkApplication, role: Role, submissionId: string): readonly ConfEntry[] {
  const { driver } = application.spec;
  return [
    ...operatorLabels(application, role, submissionId),
    ...image(application, role),
    ...resources(role),
    ...entry("spark.kubernetes.authenticate.driver.serviceAccountName", driver.serviceAccount),
    ...entry("spark.driver.extraJavaOptions", driver.javaOptions),
    ...entry("spark.kubernetes.driver.master", driver.kubernetesMaster),
    ...metadata(application, role),
    ...entriesOf("spark.kubernetes.driver.service.label.", driver.serviceLabels),
    ...entriesOf("spark.kubernetes.driver.service.annotation.", driver.serviceAnnotations),
    ...secretKeys(role),
  ];
}

/** Executors' conf (`executorConfOption`). */
export function executorConf(application: SparkApplication, role: Role, submissionId: string): readonly ConfEntry[] {
  const { executor } = application.spec;
  return [
    ...operatorLabels(application, role, submissionId),
    ...entry("spark.executor.instances", executor.instances),
    ...image(application, role),
    ...resources(role),
    ...entry("spark.kubernetes.authenticate.executor.serviceAccountName", executor.serviceAccount),
    ...entry("spark.kubernetes.executor.deleteOnTermination", executor.deleteOnTermination),
    ...metadata(application, role),
    ...secretKeys(role),
    ...entry("spark.executor.extraJavaOptions", executor.javaOptions),
  ];
}

/** The labels by which the operator finds its pods. */
function operatorLabels(
  { metadata: { name }, spec: { sparkVersion } }: SparkApplication,
  { name: role, spec }: Role,
  submissionId: string,
): readonly ConfEntry[] {
  const prefix = `spark.kubernetes.${role}.label.`;
  const isMutated = spec.template === undefined || !isAtLeastMajor(sparkVersion, 3);
  return [
    [`${prefix}${OPERATOR_LABELS.appName}`, name],
    [`${prefix}${OPERATOR_LABELS.launchedBy}`, "true"],
    ...(isMutated ? entry(`${prefix}${OPERATOR_LABELS.mutatedBy}`, true) : []),
    [`${prefix}${OPERATOR_LABELS.submissionId}`, submissionId],
  ];
}

function image({ spec }: SparkApplication, { name, spec: role }: Role): readonly ConfEntry[] {
  return entryOfText(
    `spark.kubernetes.${name}.container.image`,
    role.image === "" ? spec.image : (role.image ?? spec.image),
  );
}

function resources({ name, spec }: Role): readonly ConfEntry[] {
  return [
    ...entry(`spark.${name}.cores`, spec.cores),
    ...entry(`spark.kubernetes.${name}.request.cores`, spec.coreRequest),
    ...entry(`spark.kubernetes.${name}.limit.cores`, spec.coreLimit),
    ...entry(`spark.${name}.memory`, spec.memory),
    ...entry(`spark.${name}.memoryOverhead`, spec.memoryOverhead),
  ];
}

/** The object's own labels come first, so that those of the role win. */
function metadata({ metadata: { labels } }: SparkApplication, { name, spec }: Role): readonly ConfEntry[] {
  const ofObject = Object.fromEntries(Object.entries(labels).filter(([key]) => !key.startsWith(KUEUE_PREFIX)));
  return [
    ...entriesOf(`spark.kubernetes.${name}.label.`, ofObject),
    ...entriesOf(`spark.kubernetes.${name}.label.`, spec.labels),
    ...entriesOf(`spark.kubernetes.${name}.annotation.`, spec.annotations),
  ];
}

function secretKeys({ name, spec }: Role): readonly ConfEntry[] {
  const references = Object.entries(spec.envSecretKeyRefs ?? {}).map(([variable, ref]) => [
    variable,
    `${ref.name}:${ref.key}`,
  ]);
  return entriesOf(`spark.kubernetes.${name}.secretKeyRef.`, Object.fromEntries(references));
}
