/** The reason of some nodes, as the scheduler counts it: `3 Insufficient cpu`. */
export interface NodeReason {
  /** How many nodes give it; 0 for a reason that concerns the pod as a whole. */
  readonly count: number;
  readonly text: string;
}

/** The scheduler's words without the part about preemption at the end, which does not matter. */
export function schedulerWords(message: string): string {
  return message
    .replace(/[\s,.]*(?:no new claims to deallocate, )?preemption: .*$/s, "")
    .replace(/\.\s*(?:not found)?$/, "");
}

/**
 * The reasons in `0/3 nodes are available: 1 Insufficient cpu, 2 node(s) had untolerated taint {a: b}.` (kube-scheduler,
 * framework.FitError), and in the lists of autoscalers. A reason without a count concerns the pod.
 */
export function nodeReasons(message: string): NodeReason[] {
  const words = schedulerWords(message);
  const [, list = words] = /nodes are (?:un)?available: (.*)$/s.exec(words) ?? [];
  return list
    .split(/[,;] (?=\d+ )/)
    .map((part) => {
      const [, count = "0", text = part] = /^(\d+) (.*)$/s.exec(part.trim()) ?? [];
      return { count: Number(count), text: text.trim().replace(/[.,]$/, "") };
    })
    .filter(({ text }) => text !== "");
}
