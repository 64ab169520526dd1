/** What some nodes say, as the scheduler counts it: `3 Insufficient cpu`. */
export interface NodeReason {
  /** How many nodes say it; 0 for what is said of the pod as a whole. */
  readonly count: number;
  readonly text: string;
}

/** The scheduler's words without what stands behind them about preemption, which decides nothing. */
export function schedulerWords(message: string): string {
  return message
    .replace(/[\s,.]*(?:no new claims to deallocate, )?preemption: .*$/s, "")
    .replace(/\.\s*(?:not found)?$/, "");
}

/**
 * The reasons of `0/3 nodes are available: 1 Insufficient cpu, 2 node(s) had untolerated taint {a: b}.` (kube-scheduler,
 * framework.FitError), and of the lists that autoscalers write. What has no count is said of the pod.
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
