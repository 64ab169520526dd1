import {
  configMapName,
  resourceNamePrefix,
  runExecutorSteps,
  sparkConf,
  type ExecutorRequest,
  type KubernetesResource,
  type Pod,
  type Provenance,
  type SparkConf,
  type Step,
} from "@kindling/core-spec";
import {
  confDirFiles,
  executorConfigMap,
  executorObjects,
  handsStepsOver,
  initialExecutorSpec,
  POD_NAME_PREFIX,
  runningDriverConf,
  selectSteps,
} from "@kindling/steps";
import { Notices } from "../notices.ts";
import type { PlanInput } from "./plan-input.ts";
import { workOut } from "./work-out.ts";
import { executorSteps, userExecutorTemplate } from "./executor-template.ts";

/** What the executors of a submission will look like. */
export interface ExecutorPlan {
  readonly objects: readonly (Pod | KubernetesResource)[];
  readonly provenance: Provenance;
  /** Notices for the user, also from the driver's part. */
  readonly notices: readonly string[];
}

/** What only the running driver knows about its executors. */
export interface DrawnByDriver {
  /** Part of the names of pods and of their objects. */
  readonly id: string;
  readonly podIp: string;
  readonly podUid: string;
  /** The secret of `spark.authenticate`. */
  readonly secret: string;
}

/** How the unknown values are shown to people. */
const UNKNOWN: DrawnByDriver = {
  id: "<id>",
  podIp: "<driver pod IP>",
  podUid: "<driver pod uid>",
  secret: "<secret>",
};

/**
 * Works out the first executor's pod as the driver will build it: with the configuration that the submission passes to the
 * driver and what the driver itself adds.
 *
 * @param drawn values for what only the driver knows; default: words such as `<id>`, which no API server accepts
 */
export function planExecutor(
  input: PlanInput,
  steps: readonly Step[] = [],
  drawn: DrawnByDriver = UNKNOWN,
): ExecutorPlan {
  const notices = new Notices(input.notices);
  const worked = workOut(input, steps, notices);
  const { submission, objects, contributed } = worked;
  const { sparkVersion } = submission;
  const driverContainer = objects.pod.spec?.containers?.find(({ name }) => name === objects.driverContainer);
  const driverEnv = Object.fromEntries((driverContainer?.env ?? []).map(({ name, value }) => [name, value]));
  const driverConf = objects.driverSparkConf;
  // A driver's own address is its pod's address, which is not known yet.
  const running = {
    ...ownKeys(submission.conf),
    "spark.driver.bindAddress": drawn.podIp,
    ...runningDriverConf(driverConf, sparkVersion),
  };
  const conf = sparkConf(running, { sparkVersion, env: (name) => driverEnv[name] });
  const files = confDirFiles(submission);
  const executor: ExecutorRequest = {
    sparkVersion,
    conf,
    appId: submission.appId,
    appName: submission.appName,
    executorId: "1",
    resourceNamePrefix:
      conf.get(POD_NAME_PREFIX) ?? resourceNamePrefix(submission.appName, "id").replace(/id$/, drawn.id),
    resourceProfile: { id: 0 },
    driverPod: { name: objects.pod.metadata?.name ?? "", uid: drawn.podUid },
    user: driverEnv["SPARK_USER"] ?? submission.user,
    env: driverEnv,
    confFiles: { configMapName: configMapName(`spark-exec-${drawn.id}`), names: Object.keys(files) },
    authSecret: conf.raw("spark.authenticate") === "true" ? drawn.secret : undefined,
    ids: submission.ids,
    notice: notices.add,
  };
  // The template that the driver gets contains what contributed steps add, so this is applied before Spark's own steps. The
  // gateway adds it after the driver has built the pod.
  const own = selectSteps(conf, "executor");
  const others = executorSteps(contributed);
  const { spec, provenance } = runExecutorSteps(
    initialExecutorSpec(userExecutorTemplate(submission, worked.input), notices.add),
    executor,
    handsStepsOver(submission.conf) ? [...own, ...others] : [...others, ...own],
  );
  const { pod, resources } = executorObjects(spec, executor);
  return { objects: [executorConfigMap(executor, files), ...resources, pod], provenance, notices: notices.all };
}

/** Kindling's own keys: a driver does not see them, but contributed steps may read them. */
function ownKeys(conf: SparkConf): Record<string, string> {
  return Object.fromEntries(Object.entries(conf.entries).filter(([key]) => key.startsWith("spark.kindling.")));
}
