import { APP_DIR } from "./applications.ts";
import { smallSpec, standIn, type OperatedApplications, type Spec } from "./operated-applications.ts";
import { podFields } from "./operated-fields.ts";
import { sparkImage } from "./test-cluster.ts";

/** The objects in the namespace for the applications of the operator's suite. */
export const SURROUNDINGS = `
apiVersion: v1
kind: Secret
metadata: {name: credentials}
stringData: {password: open sesame}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: settings}
data: {SETTING: from a map}
`;

/** The applications of the operator's suite, by name; the longest ones come first. Each is built when it is called. */
export function operatorCases(
  version: string,
  hasJar: boolean,
  applications: OperatedApplications,
): Readonly<Record<string, () => Promise<void>>> {
  const spec = (script: string, more: Wishes): Spec => smallSpec(version, script, more);
  const create = (name: string, wanted: Spec) => (): Promise<void> => applications.create(name, wanted);
  const schedule = {
    schedule: "@every 10s",
    concurrencyPolicy: "Allow",
    template: spec("sleep.py", { driver: standIn(["true"]) }),
  };
  return {
    naps: create("naps", spec("sleep.py", napping())),
    dressed: create("dressed", spec("surroundings.py", dressed(sparkImage(version)))),
    often: () => applications.createScheduled("often", schedule),
    counts: create("counts", spec("word-count.py", counting(hasJar))),
    fails: create("fails", spec("missing.jar", { type: "Java", mainClass: "Missing", ...retries(2) })),
    refused: create("refused", spec("sleep.py", { driver: { serviceAccount: "missing" }, ...retries(3) })),
  };
}

type Wishes = NonNullable<Parameters<typeof smallSpec>[2]>;

function retries(times: number): Spec {
  const intervals = { onFailureRetryInterval: 1, onSubmissionFailureRetryInterval: 1 };
  const numbers = { onFailureRetries: times, onSubmissionFailureRetries: times };
  return { restartPolicy: { type: "OnFailure", ...numbers, ...intervals } };
}

/**
 * Without executors, because Spark starts faster. On a busy machine Spark's REST API needs more than ten seconds for
 * its first answer, so the nap is longer than that.
 */
function napping(): Wishes {
  const none = { enabled: true, initialExecutors: 0, minExecutors: 0, maxExecutors: 1 };
  return {
    arguments: ["45"],
    dynamicAllocation: none,
    driverPodDisruptionBudget: true,
    executor: { instances: undefined },
  };
}

/** @param hasJar whether the Java application could be compiled; otherwise the Python one counts */
function counting(hasJar: boolean): Wishes {
  const local = { name: "spark-local-dir-1", emptyDir: { medium: "Memory" } };
  const files = { name: "applications", configMap: { name: "applications" } };
  const mounts = [
    { name: "applications", mountPath: APP_DIR },
    { name: local.name, mountPath: "/tmp/local" },
  ];
  const jar = {
    type: "Java",
    mainClass: "WordCount",
    mainApplicationFile: `local://${APP_DIR}/word-count.jar`,
    arguments: [`${APP_DIR}/text.txt`],
  };
  return {
    arguments: [`${APP_DIR}/text.txt`, "1"],
    ...(hasJar && jar),
    volumes: [files, local],
    driver: { volumeMounts: mounts },
  };
}

function dressed(image: string): Wishes {
  return {
    arguments: ["/etc/credentials/password"],
    sparkConf: {
      "spark.kindling-test.from-file": "the conf",
      "spark.kubernetes.driverEnv.FROM_CONF": "driver-conf",
      "spark.executorEnv.FROM_CONF": "executor-conf",
    },
    driver: { ...podFields("driver", image), memoryLimit: "1g" },
    executor: { ...podFields("executor", image), memoryLimit: "1g", deleteOnTermination: false },
  };
}
