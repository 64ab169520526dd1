import { KindlingError, type ConfKey, type SparkConf } from "@kindling/core-spec";
import { DYNAMIC_ALLOCATION, EXECUTOR_IDLE_TIMEOUT } from "../keys/driver/dynamic-allocation-keys.ts";
import { LOCALIZER_IMAGE } from "../staged/localizer-keys.ts";
import { ENV_AUTH_SECRET } from "../steps/basic/executor-env.ts";
import { PODS_ALLOCATOR } from "../steps/basic/basic-executor.ts";
import { LOCAL_DIRS_TMPFS } from "../steps/local-dirs.ts";
import { SCHEDULER, SCHEDULER_EXECUTOR_STEPS } from "../steps/scheduler/scheduler-keys.ts";
import { SHUFFLE } from "./shuffle-keys.ts";
import { refuseUnreadableKey } from "./shuffle-tls.ts";

const AUTHENTICATE = "spark.authenticate";
const SASL_ENCRYPTION = "spark.authenticate.enableSaslEncryption";
const SECRET_FILES = ["spark.authenticate.secret.executor.file", "spark.authenticate.secret.file"];
const SECRET_REFERENCE = `spark.kubernetes.executor.secretKeyRef.${ENV_AUTH_SECRET}`;
const SERVICE_ENABLED = "spark.shuffle.service.enabled";
const SHUFFLE_TRACKING = "spark.dynamicAllocation.shuffleTracking.enabled";
const REMOVE_SHUFFLE = "spark.shuffle.service.removeShuffle";
const CONNECTION_TIMEOUT = "spark.shuffle.io.connectionCreationTimeout";
const CLAIMED_LOCAL_DIR = /^spark\.kubernetes\.executor\.volumes\.persistentVolumeClaim\.spark-local-dir-/;

/** Whether executors of this configuration leave their shuffle files behind. */
export function keepsShuffle(conf: SparkConf): boolean {
  return conf.get(SHUFFLE) === "keep";
}

/**
 * The configuration by which a stock Spark uses an external shuffle service at each executor's own address:
 *
 * - An executor whose files stay can go as soon as it is idle. So its idle time-out is short. Shuffle tracking, which keeps
 *   executors for their files, has no effect beside a shuffle service, whatever its key says (ExecutorMonitor.scala).
 * - With `removeShuffle`, the driver tells the services when a shuffle is wanted no more (BlockManagerMasterEndpoint.scala; the
 *   default since Spark 4.0). Then they can end, too.
 * - If a service is gone together with its pod, its address does not answer at all. Without a limit of its own, each attempt to
 *   connect there lasts 120 s.
 *
 * @returns the entries that the configuration does not set itself
 * @throws KindlingError `CONF_CONFLICT` or `CONF_MISSING` if that cannot work with the rest of the configuration
 */
export function shuffleEntries(conf: SparkConf): Readonly<Record<string, string>> {
  refuseContradictions(conf);
  const entries: Record<string, string> = {
    [SERVICE_ENABLED]: "true",
    [REMOVE_SHUFFLE]: "true",
    [CONNECTION_TIMEOUT]: "20s",
    ...(conf.get(DYNAMIC_ALLOCATION) && { [SHUFFLE_TRACKING]: "false", [EXECUTOR_IDLE_TIMEOUT.key]: "10s" }),
  };
  return Object.fromEntries(Object.entries(entries).filter(([key]) => conf.raw(key) === undefined));
}

function refuseContradictions(conf: SparkConf): void {
  const needed: readonly (readonly [ConfKey<string>, string])[] = [
    [SCHEDULER, "gateway"],
    [SCHEDULER_EXECUTOR_STEPS, "gateway"],
    [PODS_ALLOCATOR, "direct"],
  ];
  for (const [key, value] of needed) {
    const given = conf.get(key);
    if (given !== value)
      throw conflict(
        `${SHUFFLE.key}=keep needs ${key.key}=${value}, and it is ${given}`,
        `set ${key.key}=${value}, or leave ${SHUFFLE.key} out`,
      );
  }
  if (conf.get(LOCALIZER_IMAGE) === undefined) {
    throw new KindlingError("CONF_MISSING", `${SHUFFLE.key}=keep needs ${LOCALIZER_IMAGE.key}`, {
      hint: "name the image of the localizer: it also has the program that serves shuffle files",
    });
  }
  refuseUnreadableKey(conf);
  if (isTrue(conf, SASL_ENCRYPTION)) {
    throw conflict(
      `${SASL_ENCRYPTION}=true cannot be combined with ${SHUFFLE.key}=keep`,
      `the server of kept shuffle files does not speak this old encryption: set spark.network.crypto.enabled=true in its place`,
    );
  }
  const file = SECRET_FILES.find((key) => conf.raw(key) !== undefined);
  if (isTrue(conf, AUTHENTICATE) && file !== undefined && conf.raw(SECRET_REFERENCE) === undefined) {
    throw conflict(
      `${file} cannot be combined with ${SHUFFLE.key}=keep`,
      `the server of kept shuffle files reads the secret from a variable: refer to a Secret with ${SECRET_REFERENCE}=NAME:ENTRY, too`,
    );
  }
  if (conf.raw(SERVICE_ENABLED)?.trim().toLowerCase() === "false") {
    throw conflict(
      `${SERVICE_ENABLED}=false cannot be combined with ${SHUFFLE.key}=keep`,
      `leave ${SERVICE_ENABLED} out: it is set to true`,
    );
  }
  if (conf.get(LOCAL_DIRS_TMPFS)) {
    throw conflict(
      `${LOCAL_DIRS_TMPFS.key}=true cannot be combined with ${SHUFFLE.key}=keep`,
      "shuffle files in memory would keep the executor's memory: leave one of the two out",
    );
  }
  const claim = Object.keys(conf.entries).find((key) => CLAIMED_LOCAL_DIR.test(key));
  if (claim !== undefined) {
    throw conflict(
      `${claim} cannot be combined with ${SHUFFLE.key}=keep`,
      "Spark would give the claim of an ended executor to the next one: use an emptyDir, a hostPath or an ephemeral volume of a template",
    );
  }
}

function isTrue(conf: SparkConf, key: string): boolean {
  return conf.raw(key)?.trim().toLowerCase() === "true";
}

function conflict(message: string, hint: string): KindlingError {
  return new KindlingError("CONF_CONFLICT", message, { hint });
}
