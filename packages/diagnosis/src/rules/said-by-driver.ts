import { SCHEDULER_GATEWAY_LABEL } from "@kindling/core-spec";
import type { Evidence } from "../evidence/evidence.ts";
import type { PodState } from "../evidence/pod-state.ts";
import { driverWords, type DriverWords } from "../log/driver-words.ts";
import { logExcerpt } from "../log/log-excerpt.ts";
import { refusedRequests } from "../log/refused-request.ts";
import { forbiddenHint } from "../grants/forbidden-hint.ts";
import { isOfApiServer, refusedByApiServer } from "./refused-by-api-server.ts";
import { refusedByGateway } from "./refused-by-gateway.ts";
import { memoryAdvice } from "./memory-advice.ts";
import type { Said } from "./role.ts";

type Log = Pick<Evidence, "log" | "logTimes">;

/** A finding, and the last line of the log that says it. */
export interface Refusal {
  readonly said: Said;
  readonly at: number;
  /** RFC 3339 */
  readonly last: string | undefined;
}

/**
 * What the API server, or the gateway instead of it, refuses the driver: because of the account's rights, the quota, or the
 * objects themselves.
 */
export function refusals({ labels }: Pick<PodState, "labels">, { log = [], logTimes }: Log): Refusal[] {
  const isOfGateway = labels[SCHEDULER_GATEWAY_LABEL] === "true";
  // A refusal of the gateway does not depend on the rights of the driver's account.
  const kinds: readonly DriverWords["kind"][] = isOfGateway ? ["quota", "refused"] : ["forbidden", "quota"];
  const words = driverWords(log).filter(
    (one) => !("message" in one) || one.kind !== "refused" || !isOfApiServer(one.message),
  );
  const known = kinds.flatMap((kind) => words.filter((one) => one.kind === kind));
  const said = known.map((one) => {
    const at = log.findLastIndex((line) => "message" in one && line.includes(one.message));
    return { said: saidOf(one, log), at, last: logTimes?.[at] || undefined };
  });
  const others = refusedRequests(log, logTimes)
    .filter(({ message, code = 0 }) => isOfApiServer(message) || (!isOfGateway && code >= 400 && code < 409))
    .filter(({ message }) => !/exceeded quota|User "[^"]*" cannot /.test(message))
    .map((refused) => ({ said: refusedByApiServer(refused), at: refused.at, last: refused.last }));
  return [...said, ...others];
}

// If a jar is missing, its class is not found either.
const ORDER: readonly DriverWords["kind"][] = ["file", "class", "executors", "worker"];

/** What Spark's driver itself says went wrong; the cause comes before its consequence. */
export function saidByDriver(log: readonly string[]): Said | undefined {
  const words = driverWords(log);
  const hasNoClass = words.some(({ kind }) => kind === "class");
  const first = ORDER.flatMap((kind) => words.filter((one) => one.kind === kind)).find(
    // Spark goes on without a missing jar, often to the end.
    (one) => one.kind !== "file" || !one.isSkipped || hasNoClass || logExcerpt(log) === undefined,
  );
  return first && saidOf(first, log);
}

function saidOf(words: DriverWords, log: readonly string[]): Said {
  switch (words.kind) {
    case "refused":
      return refusedByGateway(words.message);
    case "forbidden":
      return {
        cause: "Forbidden",
        word: "Forbidden",
        summary: `the driver's account may not do its work: ${words.user} cannot ${words.what}`,
        details: [words.message],
        advice: forbiddenHint(words.message, "driver"),
      };
    case "quota":
      return {
        cause: "QuotaExceeded",
        word: "exceeded quota",
        summary: `the namespace's quota leaves no room: ${words.message}`,
        advice:
          "ask for less (spark.executor.memory, spark.executor.cores, spark.executor.instances), wait until other applications " +
          "have ended, or have the quota raised",
      };
    case "file":
      return {
        cause: "FileNotFound",
        word: "Error",
        summary: `${words.path} is not in the image`,
        advice:
          "correct the path (local:// is a path in the image), build it into the image, or let Kindling stage it from this machine",
      };
    case "class":
      return {
        cause: "ClassNotFound",
        word: "Error",
        summary: `class ${words.name} is in none of the jars`,
        advice: "check --class, with its package, and that the application's jar holds it: jar tf APP.jar",
      };
    case "executors":
      return {
        cause: "ExecutorsFailing",
        word: "Error",
        summary: `Spark gave up, because more than ${words.most} executors had failed`,
        advice:
          "spark.kubernetes.executor.deleteOnTermination=false keeps their pods: kindling status tells then how they ended, " +
          "and kindling logs --executor ID why",
      };
    case "worker":
      return {
        cause: "PythonWorkerCrashed",
        word: "Error",
        summary: "a Python worker of an executor ended again and again, most often killed for the executor's memory",
        details: logExcerpt(log)?.lines ?? [],
        advice: memoryAdvice("executor"),
      };
  }
}
