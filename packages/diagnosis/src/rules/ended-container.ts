import type { ContainerState, Termination } from "../evidence/pod-state.ts";
import type { Role } from "../finding.ts";
import { LOCALIZER } from "./container-key.ts";
import { exitCodeText } from "./exit-code.ts";
import { localizerWords, type LocalizerWords } from "./localizer-words.ts";
import { memoryAdvice } from "./memory-advice.ts";
import type { Said } from "./role.ts";

const STAGING_ADVICE =
  "pods reach the staging server by spark.kindling.staging.internalUri, or by spark.kindling.staging.uri without it: check " +
  "that URI, its name in the cluster's DNS, and network policies";

function isAboutReachingStaging({ reason, file = "", message }: LocalizerWords): boolean {
  const isStaged = /(?:^| of )bundle /.test(file);
  return isStaged && (reason === "unreachable" || (reason === "deadline" && message.includes("the last problem")));
}

/** Why a container failed, according to the kubelet and the container itself. */
export function endedContainer(role: Role, { name }: Pick<ContainerState, "name">, ended: Termination): Said {
  const { exitCode, reason, message, finishedAt } = ended;
  const about = { container: name, since: finishedAt };
  const localizer = name === LOCALIZER ? localizerWords(message) : undefined;
  if (localizer !== undefined) {
    return {
      ...about,
      cause: "Localizer",
      word: `localizer: ${localizer.reason}`,
      summary: `the localizer could not bring the files: ${localizer.message}`,
      details: localizer.file === undefined ? [] : [`file: ${localizer.file}`],
      advice: isAboutReachingStaging(localizer) ? STAGING_ADVICE : localizer.hint,
    };
  }
  if (reason === "OOMKilled") {
    return {
      ...about,
      cause: "OOMKilled",
      word: "OOMKilled",
      summary: `container ${name} used more memory than its limit, and was killed (OOMKilled, exit code ${exitCode})`,
      advice: name === LOCALIZER ? "raise spark.kindling.localizer.limits.memory" : memoryAdvice(role),
    };
  }
  if (reason === "ContainerCannotRun" || reason === "StartError") {
    return {
      ...about,
      cause: "ContainerFailed",
      word: reason,
      summary: `container ${name} could not be started: ${message ?? exitCodeText(exitCode)}`,
      advice: "the image has to be one of Spark, whose entry point is /opt/entrypoint.sh",
    };
  }
  const own = message === undefined || message === "" ? [] : [message];
  return {
    ...about,
    cause: exitCode === 137 ? "Killed" : "ContainerFailed",
    word: `Error (${exitCode})`,
    summary: `container ${name} ended with ${exitCodeText(exitCode)}`,
    details: own,
    ...(exitCode === 137 && { advice: memoryAdvice(role) }),
  };
}
