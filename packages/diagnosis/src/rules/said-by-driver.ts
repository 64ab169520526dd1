import { SCHEDULER_GATEWAY_LABEL } from "@kindling/core-spec";
import type { PodState } from "../evidence/pod-state.ts";
import { driverWords, type DriverWords } from "../log/driver-words.ts";
import { logExcerpt } from "../log/log-excerpt.ts";
import { forbiddenHint } from "../grants/forbidden-hint.ts";
import { refusedByGateway } from "./refused-by-gateway.ts";
import { memoryAdvice } from "./memory-advice.ts";
import type { Said } from "./role.ts";

// A class is not found because its jar is not; and an account that may not is said more than once.
const LAST = ["executors", "file", "class", "worker", "heap"] as const;
const ORDER: readonly DriverWords["kind"][] = ["forbidden", "quota", ...LAST];
/** What the gateway refuses has nothing to do with the rights of the driver's account. */
const GATEWAY_ORDER: readonly DriverWords["kind"][] = ["quota", "refused", ...LAST];

/** What Spark's driver itself says went wrong, the cause before what it led to. */
export function saidByDriver({ labels }: Pick<PodState, "labels">, log: readonly string[]): Said[] {
  const order = labels[SCHEDULER_GATEWAY_LABEL] === "true" ? GATEWAY_ORDER : ORDER;
  const known = driverWords(log).filter(({ kind }) => order.includes(kind));
  return known.toSorted((a, b) => order.indexOf(a.kind) - order.indexOf(b.kind)).map((words) => saidOf(words, log));
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
    case "heap":
      return {
        cause: "JavaHeapFull",
        word: "OutOfMemoryError",
        summary: "Java's heap in the driver was full (java.lang.OutOfMemoryError)",
        details: logExcerpt(log)?.lines ?? [],
        advice: `collect less in the driver, or ${memoryAdvice("driver")}`,
      };
  }
}
