import type { KubeObject } from "@kindling/kube-objects";
import {
  KindlingError,
  parseProperties,
  PropertiesSyntaxError,
  sparkConf,
  type Environment,
  type SparkConf,
  type Step,
} from "@kindling/core-spec";
import {
  changingStep,
  DRIVER_CONF_VOLUME,
  NAMESPACE,
  podSecurity,
  shuffleServer,
  PROPERTIES_FILE,
  runningDriverConf,
  stepOfDependencies,
  type ExecutorHandover,
  type HandedStep,
} from "@kindling/steps";
import { objectsAt, textAt } from "../../../json/fields.ts";

/** Kindling's own steps that need only the configuration. */
const OWN_STEPS: readonly Step[] = [podSecurity, shuffleServer];

/** What the executors of one application get in addition to what their driver asks for. Computed once for all of them. */
export interface ExecutorRecipe {
  /** In their order. */
  readonly steps: readonly Step[];
  /** The steps among them that the application has brought as data: the application is responsible for what they do. */
  readonly brought: ReadonlySet<Step>;
  readonly sparkVersion: string;
  readonly appName: string;
  /** The configuration that the driver started with, and Kindling's own keys that the steps read. */
  readonly conf: SparkConf;
  /** The driver container's environment, as far as its pod gives the values literally. */
  readonly env: Environment;
  /** The other files of the driver's ConfigMap, with their texts. */
  readonly confFiles: Readonly<Record<string, string>>;
}

/**
 * @param configuration the driver's ConfigMap: its configuration as Java properties, and other files
 * @param installed the contributed steps that the gateway has
 * @throws KindlingError `STEP_NOT_FOUND` for a step that the gateway does not have, `FILE_UNPARSABLE` for properties that
 * cannot be read
 */
export function executorRecipe(
  driver: KubeObject,
  handover: ExecutorHandover,
  configuration: Readonly<Record<string, string>>,
  installed: readonly Step[],
): ExecutorRecipe {
  const { sparkVersion, appName, conf, steps } = handover;
  const env = driverEnv(driver);
  const { [PROPERTIES_FILE]: properties = "", [NAMESPACE.key]: _namespace, ...confFiles } = configuration;
  const entries = { ...runningDriverConf(entriesOf(properties), sparkVersion), ...conf };
  const all = steps.map((step) => stepOf(step, installed));
  return {
    steps: all,
    brought: new Set(all.filter((step) => !installed.includes(step))),
    sparkVersion,
    appName,
    conf: sparkConf(entries, { sparkVersion, env: (name) => env[name] }),
    env,
    confFiles,
  };
}

/** The name of the ConfigMap with the driver's configuration. */
export function driverConfMap(driver: KubeObject): string | undefined {
  const volume = objectsAt(driver, "spec", "volumes").find(({ name }) => name === DRIVER_CONF_VOLUME);
  return textAt(volume, "configMap", "name");
}

function stepOf({ name, dependencies, changes }: HandedStep, installed: readonly Step[]): Step {
  if (dependencies !== undefined) return stepOfDependencies(dependencies);
  if (changes !== undefined) return changingStep(name, { executor: changes });
  const ours = OWN_STEPS.find((own) => own.name === name);
  if (ours !== undefined) return ours;
  const step = installed.find((candidate) => candidate.name === name);
  if (step !== undefined) return step;
  throw new KindlingError("STEP_NOT_FOUND", `the gateway has no step called ${JSON.stringify(name)}`, {
    hint: "the administrator of the gateway can install it (executors.steps); without it, set spark.kindling.scheduler.executorSteps=template",
  });
}

function entriesOf(properties: string): Record<string, string> {
  try {
    return parseProperties(properties);
  } catch (error) {
    if (!(error instanceof PropertiesSyntaxError)) throw error;
    const where = `${PROPERTIES_FILE} of the driver, line ${error.line}`;
    throw new KindlingError("FILE_UNPARSABLE", `${where}: ${error.message}`, { cause: error });
  }
}

function driverEnv(driver: KubeObject): Environment {
  const containers = objectsAt(driver, "spec", "containers");
  const spark = containers.find((container) =>
    objectsAt(container, "volumeMounts").some(({ name }) => name === DRIVER_CONF_VOLUME),
  );
  const entries = objectsAt(spark, "env").flatMap(({ name, value }) =>
    typeof name === "string" && typeof value === "string" ? [[name, value] as const] : [],
  );
  return Object.fromEntries(entries);
}
