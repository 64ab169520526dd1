import type { ConfKey, Step, Submission } from "@kindling/core-spec";
import { POD_NAME_PREFIX } from "../../keys/executor-name-key.ts";
import { EXECUTOR_NODE_SELECTOR, NODE_SELECTOR } from "../../keys/prefixes.ts";
import { PODS_ALLOCATOR } from "../basic/basic-executor.ts";
import { EXECUTOR_POD_TEMPLATE_CONTAINER, EXECUTOR_POD_TEMPLATE_FILE } from "../pod-template-config-map.ts";
import { withAnnouncement } from "./announcement.ts";
import { DRIVER_RESTART, refuseRestart, RESTART_LIMITS } from "./driver-restart.ts";
import { withGatewayAccess } from "./gateway-access.ts";
import { EXECUTOR_COUNT_KEYS } from "./least-executors.ts";
import { SPOT, SPOT_DETAILS } from "./spot.ts";
import { GATEWAY_WISHES, SCHEDULER, SCHEDULER_CA_FILE, SCHEDULER_KEYS } from "./scheduler-keys.ts";

/**
 * Decides what creates the executors: with spark.kindling.scheduler=gateway, the gateway. The driver pod gets a token for the
 * gateway alone, announces what it will need, and waits at a scheduling gate until there is room for that. It has no
 * counterpart in Spark. It runs after Spark's steps, because it uses the configuration that the driver starts with.
 */
export const scheduler: Step = {
  name: "scheduler",
  keys: [
    ...SCHEDULER_KEYS,
    DRIVER_RESTART,
    ...RESTART_LIMITS,
    SPOT,
    ...SPOT_DETAILS,
    ...EXECUTOR_COUNT_KEYS,
    PODS_ALLOCATOR,
    POD_NAME_PREFIX,
    EXECUTOR_POD_TEMPLATE_FILE,
    EXECUTOR_POD_TEMPLATE_CONTAINER,
    NODE_SELECTOR,
    EXECUTOR_NODE_SELECTOR,
  ],
  // A template that mounts the API server's token would defeat the purpose of this step.
  overrides: ["driverPod.spec.automountServiceAccountToken"],
  localFiles(conf) {
    if (conf.get(SCHEDULER) === "native") return [];
    return [conf.get(SCHEDULER_CA_FILE), conf.get(EXECUTOR_POD_TEMPLATE_FILE)].filter((path) => path !== undefined);
  },
  configureDriver(spec, submission) {
    const { conf } = submission;
    const isNative = conf.get(SCHEDULER) === "native";
    if (isNative) refuseRestart(conf);
    tellUnused(submission, isNative);
    return isNative ? spec : withAnnouncement(withGatewayAccess(spec, submission), submission);
  },
};

/** Tells the user which keys have no effect. The gateway's address, and how it is reached, may well be defaults of the site. */
function tellUnused({ conf, notice }: Submission, isNative: boolean): void {
  const unused = (keys: readonly ConfKey<unknown>[], missing: string): void => {
    for (const key of keys) if (conf.has(key)) notice(`${key.key} has no effect without ${missing}`);
  };
  if (isNative) unused([...GATEWAY_WISHES, SPOT], `${SCHEDULER.key}=gateway`);
  if (!conf.has(SPOT)) unused(SPOT_DETAILS, SPOT.key);
  if (conf.get(DRIVER_RESTART) === "never") unused(RESTART_LIMITS, `${DRIVER_RESTART.key}=onFailure or always`);
}
