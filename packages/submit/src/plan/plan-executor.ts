import {
  configMapName,
  confType,
  optionalConfKey,
  resourceNamePrefix,
  runExecutorSteps,
  sparkConf,
  type ConfKey,
  type ExecutorRequest,
  type KubernetesResource,
  type Pod,
  type Provenance,
  type SparkConf,
} from "@kindling/core-spec";
import {
  confDirFiles,
  executorConfigMap,
  executorObjects,
  initialExecutorSpec,
  runningDriverConf,
  selectSteps,
} from "@kindling/steps";
import type { Prepared } from "./prepare.ts";
import { executorSteps, userExecutorTemplate } from "./executor-template.ts";

export const POD_NAME_PREFIX: ConfKey<string | undefined> = optionalConfKey({
  key: "spark.kubernetes.executor.podNamePrefix",
  type: confType.text,
  since: "2.3.0",
  readBy: ["driver", "executor"],
  doc: "What the names of executor pods begin with; a DNS subdomain of at most 237 characters. If unset, the driver makes one of the application's name.",
});

/** What an executor of a submission will look like. */
export interface ExecutorPlan {
  readonly objects: readonly (Pod | KubernetesResource)[];
  readonly provenance: Provenance;
}

/**
 * Works out the first executor's pod as the driver will build it: with the configuration that the submission hands to
 * the driver and what the driver itself adds. Names that the driver will draw are shown as `<id>`.
 */
export function planExecutor({ plan, contributed }: Prepared): ExecutorPlan {
  const { submission, objects } = plan;
  const { sparkVersion } = submission;
  const driverConf = objects.driverSparkConf;
  // A driver's own address is its pod's, which nobody knows yet.
  const running = {
    ...ownKeys(submission.conf),
    "spark.driver.bindAddress": "<driver pod IP>",
    ...runningDriverConf(driverConf, sparkVersion),
  };
  const conf = sparkConf(running, { sparkVersion, env: (name) => driverEnv(objects.pod, name) });
  const files = confDirFiles(submission);
  const executor: ExecutorRequest = {
    sparkVersion,
    conf,
    appId: submission.appId,
    appName: submission.appName,
    executorId: "1",
    resourceNamePrefix:
      conf.get(POD_NAME_PREFIX) ?? resourceNamePrefix(submission.appName, "id").replace(/id$/, "<id>"),
    resourceProfile: { id: 0 },
    driverPod: { name: objects.pod.metadata?.name ?? "", uid: "<driver pod uid>" },
    user: driverEnv(objects.pod, "SPARK_USER") ?? submission.user,
    env: (name) => driverEnv(objects.pod, name),
    confFiles: { configMapName: configMapName("spark-exec-<id>"), names: Object.keys(files) },
    authSecret: conf.raw("spark.authenticate") === "true" ? "<secret>" : undefined,
    ids: submission.ids,
    notice: submission.notice,
  };
  // What contributed steps add is in the template that the driver gets, so it is there before anything of Spark's.
  const { spec, provenance } = runExecutorSteps(
    initialExecutorSpec(userExecutorTemplate(submission), submission.notice),
    executor,
    [...executorSteps(contributed), ...selectSteps(conf, "executor")],
  );
  const { pod, resources } = executorObjects(spec, executor);
  return { objects: [executorConfigMap(executor, files), ...resources, pod], provenance };
}

/** Kindling's own keys, which a driver does not see and contributed steps may read. */
function ownKeys(conf: SparkConf): Record<string, string> {
  return Object.fromEntries(Object.entries(conf.entries).filter(([key]) => key.startsWith("spark.kindling.")));
}

function driverEnv(pod: Pod, name: string): string | undefined {
  return pod.spec?.containers?.at(-1)?.env?.findLast((variable) => variable.name === name)?.value;
}
