import { quotedName } from "@kindling/core-spec";
import type { Evidence } from "../evidence/evidence.ts";
import { driverTermination, hasStarted } from "../evidence/containers.ts";
import type { PodState } from "../evidence/pod-state.ts";
import type { Finding } from "../finding.ts";
import { logRecord } from "../log/log-record.ts";
import { disruptedPod } from "./disrupted-pod.ts";
import { endOfLog } from "./end-of-log.ts";
import { endedContainer } from "./ended-container.ts";
import { exitCodeText } from "./exit-code.ts";
import { COMMAND_ADVICE } from "./known/image-contents.ts";
import { knownError } from "./known/in-log.ts";
import { findingOf, type Said } from "./role.ts";

/** Why a driver pod failed: the cluster's reason, the driver's own words, the end of its log, the exit code. */
export function failedDriver(driver: PodState, { driverContainer, log = [], logTimes }: Evidence): Finding {
  const examined = { role: "driver", pod: driver } as const;
  const failedInit = failedInitContainer(driver, driverContainer);
  const ended = blamedContainer(driver, driverContainer);
  const cluster = disruptedPod("driver", driver) ?? (failedInit && endedContainer("driver", failedInit, failedInit));
  if (cluster !== undefined) return findingOf(examined, "failure", cluster);
  if (ended === undefined) {
    const summary = `the driver pod failed${driver.message === undefined ? "" : `: ${driver.message}`}`;
    return findingOf(examined, "failure", { cause: "ContainerFailed", word: driver.reason ?? "Failed", summary });
  }
  const container = endedContainer("driver", ended, ended);
  if (container.cause === "OOMKilled" || container.word === "StartError" || container.word === "ContainerCannotRun")
    return findingOf(examined, "failure", container);
  const said = foreignCommand(driver, log) ?? endOfLog(driver, ended.exitCode, { log, logTimes });
  if (said === undefined) return findingOf(examined, "failure", withoutWords(container, log, ended.exitCode));
  const { word, container: name, since } = container;
  return findingOf(examined, "failure", {
    container: name,
    ...said,
    since,
    word,
    times: 1,
    summary: `${said.summary} (${exitCodeText(ended.exitCode)})`,
  });
}

/**
 * What kept Spark's container from starting. A sidecar among the init containers ends after Spark's container, with any exit
 * code.
 */
function failedInitContainer(driver: PodState, driverContainer: string | undefined) {
  if (hasStarted(driver, driverContainer)) return undefined;
  return driver.initContainers.flatMap((one) => (one.state === "terminated" && one.exitCode !== 0 ? [one] : []))[0];
}

/** The container that runs Spark, unless it ended well and another one failed. */
function blamedContainer(driver: PodState, driverContainer: string | undefined) {
  const spark = driverTermination(driver, driverContainer);
  return spark?.exitCode === 0 ? driverTermination(driver, undefined) : spark;
}

/** A command in the pod template replaces Spark's entry point, and gets Spark's arguments (BasicDriverFeatureStep). */
function foreignCommand({ command }: PodState, log: readonly string[]): Said | undefined {
  if (command.length === 0 || command.some((word) => OF_SPARK_IMAGE.test(word))) return undefined;
  if (log.some((line) => OF_SPARK_IMAGE.test(line) || logRecord(line)?.text.startsWith("SparkContext") === true))
    return undefined;
  return {
    cause: "WrongImage",
    word: "Error",
    summary: `the container runs ${quotedName(command.join(" "))}, the command of the pod template, in place of the image's entry point, and that fails`,
    details: log.filter((line) => line.trim() !== "").slice(-5),
    advice: COMMAND_ADVICE,
  };
}

const OF_SPARK_IMAGE = /entrypoint|spark-submit|spark-class|\btini\b|java|Traceback/;

/** Lines that every driver writes, whatever happens, and empty lines. */
const OF_SPARK =
  /^\s*$|^\d\d\/\d\d\/\d\d \d\d:\d\d:\d\d (?:TRACE|DEBUG|INFO|WARN) |^WARNING: Using incubator modules|^Setting default log level|^To adjust logging level|^Using Spark's default log4j|^\++ |^:: |^\t(?:confs|found|\[\d)/;

function withoutWords(container: Said, log: readonly string[], exitCode: number): Said {
  if (log.length > 0) {
    const details = log.filter((line) => !OF_SPARK.test(line)).slice(-5);
    // What a process logs before it is killed is not the reason.
    const error = SIGNALS.has(exitCode) ? undefined : knownError(log);
    if (error === undefined) return { ...container, details };
    const { known, line } = error;
    return {
      ...container,
      ...(known && { cause: known.cause ?? container.cause, advice: known.advice }),
      summary: `${known?.summary ?? line} (${exitCodeText(exitCode)})`,
      details,
    };
  }
  return exitCode === 1
    ? {
        ...container,
        summary: `${container.summary}; the driver left no log`,
        advice: "check that the image is one of Spark",
      }
    : container;
}

const SIGNALS: ReadonlySet<number> = new Set([130, 137, 143]);
