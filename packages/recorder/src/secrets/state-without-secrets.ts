import type { ContainerState, PodState, Termination } from "@kindling/diagnosis";
import type { RunSecrets } from "./run-secrets.ts";

type Clean = Pick<RunSecrets, "clean">;

/**
 * The state of a pod with texts that may be quoted. Names stay as they are, even if a secret is the same as one of them: what is
 * kept is found by them.
 */
export function stateWithoutSecrets(state: PodState, secrets: Clean): PodState {
  const { message, disruption, memory, restart, command, containers, initContainers } = state;
  return {
    ...state,
    ...{ message: cleaned(message, secrets), command: command.map((word) => secrets.clean(word)) },
    disruption: disruption && { ...disruption, message: cleaned(disruption.message, secrets) },
    memory: memory && { ...memory, words: secrets.clean(memory.words) },
    restart: restart && { ...restart, lastEnd: cleaned(restart.lastEnd, secrets) },
    containers: containers.map((container) => cleanContainer(container, secrets)),
    initContainers: initContainers.map((container) => cleanContainer(container, secrets)),
  };
}

function cleanContainer(container: ContainerState, secrets: Clean): ContainerState {
  const last = container.last && cleanTermination(container.last, secrets);
  switch (container.state) {
    case "waiting":
      return { ...container, last, message: cleaned(container.message, secrets) };
    case "terminated":
      return { ...container, last, message: cleaned(container.message, secrets) };
    case "running":
    case "unknown":
      return { ...container, last };
  }
}

/** How a container ended, with a text that may be quoted. */
function cleanTermination(termination: Termination, secrets: Clean): Termination {
  return { ...termination, message: cleaned(termination.message, secrets) };
}

function cleaned(text: string | undefined, secrets: Clean): string | undefined {
  return text === undefined ? undefined : secrets.clean(text);
}
