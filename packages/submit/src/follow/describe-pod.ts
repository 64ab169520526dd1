import type { ContainerState, PodState } from "@kindling/diagnosis";

/**
 * A pod's state in Spark's own words (KubernetesUtils.formatPodState). Tools that run spark-submit read this text, for
 * example the lines `pod name:` and `exit code:`.
 */
export function describePod(state: PodState): string {
  const labels = Object.entries(state.labels).map(([key, value]) => `${key} -> ${value}`);
  return lines(
    [
      ["pod name", state.name],
      ["namespace", state.namespace],
      ["labels", labels.join(", ")],
      ["pod uid", state.uid],
      ["creation time", state.created],
      ["service account name", state.serviceAccount],
      ["volumes", state.volumes.join(", ")],
      ["node name", state.node],
      ["start time", state.started],
      ["phase", state.phase],
      ["container status", describeContainers(state, 2)],
    ],
    1,
  );
}

/** The containers' states in Spark's words (KubernetesUtils.containersDescription). */
export function describeContainers({ containers }: PodState, indent = 1): string {
  return containers.map((container) => lines(containerLines(container), indent)).join("\n\n");
}

type Line = readonly [key: string, value: string | undefined];

function containerLines(container: ContainerState): Line[] {
  const head: Line[] = [
    ["container name", container.name],
    ["container image", container.image],
    ["container state", container.state === "unknown" ? undefined : container.state],
  ];
  switch (container.state) {
    case "running":
      return [...head, ["container started at", container.startedAt]];
    case "waiting":
      return [...head, ["pending reason", container.reason]];
    case "terminated":
      return [
        ...head,
        ["container started at", container.startedAt],
        ["container finished at", container.finishedAt],
        ["exit code", String(container.exitCode)],
        ["termination reason", container.reason],
      ];
    case "unknown":
      return head;
  }
}

function lines(pairs: readonly Line[], indent: number): string {
  return pairs
    .map(([key, value]) => `\n${"\t".repeat(indent)} ${key}: ${value === undefined || value === "" ? "N/A" : value}`)
    .join("");
}
