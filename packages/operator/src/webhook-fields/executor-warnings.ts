import type { RoleFields } from "./role-fields.ts";
import { referencesOf, type SplitEnv } from "./split-env.ts";

/** What the webhook would do to executors but a pod template cannot, one sentence each. */
export function executorWarnings(given: RoleFields, env: SplitEnv): string[] {
  const { memoryLimit, lifecycle, gpu } = given.fields;
  const { sparkConf = {}, dynamicAllocation } = given.application.spec;
  const isOn = (key: string): boolean => sparkConf[key]?.toLowerCase() === "true";
  const warnings: string[] = [];
  if (memoryLimit !== undefined) {
    warnings.push("spec.executor.memoryLimit has no effect: Spark limits the memory of executors to what they request");
  }
  if (lifecycle !== undefined && isOn("spark.decommission.enabled")) {
    warnings.push(
      "spec.executor.lifecycle has no effect: with spark.decommission.enabled Spark sets that of executors itself",
    );
  }
  // Only these applications can have executors of several kinds.
  if (gpu !== undefined && (dynamicAllocation?.enabled === true || isOn("spark.dynamicAllocation.enabled"))) {
    warnings.push(
      "spec.executor.gpu has no effect on executors of a resource profile of the application's own: these have that profile's resources only",
    );
  }
  return [...warnings, ...lostVariables(given, env), ...lostReferences(env)];
}

/** Variables that Spark sets after a template, and before those of `spark.executorEnv.*`. */
const SET_FIRST: ReadonlySet<string> = new Set([
  "SPARK_USER",
  "SPARK_DRIVER_URL",
  "SPARK_EXECUTOR_CORES",
  "SPARK_EXECUTOR_MEMORY",
  "SPARK_APPLICATION_ID",
  "SPARK_CONF_DIR",
  "SPARK_EXECUTOR_ID",
  "SPARK_RESOURCE_PROFILE_ID",
]);
/** Variables that Spark sets after those of `spark.executorEnv.*`. */
const SET_LAST =
  /^(SPARK_LOCAL_DIRS|SPARK_EXECUTOR_POD_IP|SPARK_EXECUTOR_POD_NAME|SPARK_JAVA_OPT_\d+|_SPARK_AUTH_SECRET)$/;

function lostVariables({ application, fields }: RoleFields, { inTemplate, byConf }: SplitEnv): string[] {
  const { envVars = {}, envSecretKeyRefs = {} } = fields;
  const { sparkConf = {} } = application.spec;
  const isSetBehindTemplate = (name: string): boolean =>
    SET_FIRST.has(name) || Object.hasOwn(envVars, name) || Object.hasOwn(sparkConf, `spark.executorEnv.${name}`);
  const isSetLast = (name: string): boolean => SET_LAST.test(name) || Object.hasOwn(envSecretKeyRefs, name);
  const onlyInTemplate = inTemplate.map(({ name }) => name).filter((name) => !Object.hasOwn(byConf, name));
  const lost = [
    ...onlyInTemplate.filter((name) => isSetBehindTemplate(name) || isSetLast(name)),
    ...Object.keys(byConf).filter(isSetLast),
  ];
  return [...new Set(lost)].map(
    (name) => `spec.executor.env: ${name} has no effect: Spark's own value, or another setting's, comes later`,
  );
}

/** The template's variables come before all of Spark's. */
function lostReferences({ inTemplate }: SplitEnv): string[] {
  const names = new Set(inTemplate.map(({ name }) => name));
  return inTemplate.flatMap(({ name, value = "" }) =>
    referencesOf(value)
      .filter((wanted) => SET_FIRST.has(wanted) && !names.has(wanted))
      .map((wanted) => `spec.executor.env: ${name} does not see ${wanted}, which Spark sets later`),
  );
}
