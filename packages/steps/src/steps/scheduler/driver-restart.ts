import {
  confKey,
  confType,
  KindlingError,
  SCHEDULER_DRIVER_BACKOFF_ANNOTATION,
  SCHEDULER_DRIVER_MAX_RESTARTS_ANNOTATION,
  SCHEDULER_DRIVER_RESET_ANNOTATION,
  SCHEDULER_DRIVER_RESTART_ANNOTATION,
  type ConfKey,
  type SparkConf,
} from "@kindling/core-spec";
import { SCHEDULER } from "./scheduler-keys.ts";

const { checked, int, oneOf, time } = confType;

export const DRIVER_RESTART: ConfKey<"never" | "onFailure" | "always"> = confKey({
  key: "spark.kindling.driver.restart",
  type: oneOf("never", "onFailure", "always"),
  default: "never",
  since: "3.5.0",
  readBy: ["submit"],
  doc: "Whether the gateway starts the driver again after it has ended: never, only after a failure, or always. Needs spark.kindling.scheduler=gateway.",
});

export const DRIVER_MAX_RESTARTS: ConfKey<number> = confKey({
  key: "spark.kindling.driver.restart.maxRestarts",
  type: checked(int, (count) => count > 0, "a number greater than 0"),
  default: "5",
  since: "3.5.0",
  readBy: ["submit"],
  doc: "How many times the driver is started again at most.",
});

export const DRIVER_RESTART_BACKOFF: ConfKey<number> = confKey({
  key: "spark.kindling.driver.restart.backoff",
  type: checked(time("s"), (seconds) => seconds > 0, "a duration of at least 1s"),
  default: "10s",
  since: "3.5.0",
  readBy: ["submit"],
  doc: "The pause before the driver is started again. It doubles with each restart.",
});

export const DRIVER_RESTART_RESET: ConfKey<number> = confKey({
  key: "spark.kindling.driver.restart.resetAfter",
  type: checked(time("s"), (seconds) => seconds > 0, "a duration of at least 1s"),
  default: "1h",
  since: "3.5.0",
  readBy: ["submit"],
  doc: "After a driver has run for this time, earlier restarts are forgotten: the number of restarts and the pause begin anew.",
});

/** These have no effect if the driver is never started again. */
export const RESTART_LIMITS: readonly ConfKey<number>[] = [
  DRIVER_MAX_RESTARTS,
  DRIVER_RESTART_BACKOFF,
  DRIVER_RESTART_RESET,
];

/** Refuses a restart that nothing would carry out: without the gateway, nothing manages a driver after its end. */
export function refuseRestart(conf: SparkConf): void {
  const restart = conf.get(DRIVER_RESTART);
  if (restart === "never") return;
  throw new KindlingError(
    "CONF_CONFLICT",
    `${DRIVER_RESTART.key}=${restart} needs ${SCHEDULER.key}=gateway: it is the gateway that starts drivers again`,
    { hint: `set ${SCHEDULER.key}=gateway, or leave ${DRIVER_RESTART.key} out` },
  );
}

/** What the gateway must know to start the driver again; nothing if it must not. */
export function restartAnnotations(conf: SparkConf): Record<string, string> {
  const restart = conf.get(DRIVER_RESTART);
  if (restart === "never") return {};
  return {
    [SCHEDULER_DRIVER_RESTART_ANNOTATION]: restart,
    [SCHEDULER_DRIVER_MAX_RESTARTS_ANNOTATION]: String(conf.get(DRIVER_MAX_RESTARTS)),
    [SCHEDULER_DRIVER_BACKOFF_ANNOTATION]: String(conf.get(DRIVER_RESTART_BACKOFF)),
    [SCHEDULER_DRIVER_RESET_ANNOTATION]: String(conf.get(DRIVER_RESTART_RESET)),
  };
}
