/** How an executor with a node ended. */
export interface ExecutorEnd {
  readonly application: string;
  readonly node: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** Whether it was killed or lost, and did not end by itself or because its driver or the gateway ended it. */
  readonly killed: boolean;
}

export interface NodeBackoffSettings {
  /** How many executors in a row a node must have killed before it gets no more. */
  readonly threshold: number;
  /** The first duration, and the longest one. The duration doubles with each executor that is killed after that. */
  readonly firstMs: number;
  readonly longestMs: number;
  /** An older end is forgotten. */
  readonly forgetMs: number;
  /**
   * If an application's executors were killed on so many nodes, the application is taken for the cause, and they count
   * against no node.
   */
  readonly applicationNodes: number;
}

/** Which nodes get no new executors, and until when (milliseconds since the epoch). The ends may be in any order. */
export function nodeBackoffs(
  ends: readonly ExecutorEnd[],
  { threshold, firstMs, longestMs, forgetMs, applicationNodes }: NodeBackoffSettings,
  now: number,
): ReadonlyMap<string, number> {
  const recent = ends.filter(({ at }) => now - at < forgetMs);
  const blamed = applicationsToBlame(recent, applicationNodes);
  const kills = new Map<string, { count: number; last: number }>();
  for (const { application, node, at, killed } of recent.toSorted((a, b) => a.at - b.at)) {
    if (!killed) kills.delete(node);
    else if (!blamed.has(application)) kills.set(node, { count: (kills.get(node)?.count ?? 0) + 1, last: at });
  }
  const untils = new Map<string, number>();
  for (const [node, { count, last }] of kills) {
    if (count < threshold) continue;
    const until = last + Math.min(longestMs, firstMs * 2 ** (count - threshold));
    if (until > now) untils.set(node, until);
  }
  return untils;
}

function applicationsToBlame(ends: readonly ExecutorEnd[], nodes: number): ReadonlySet<string> {
  const killedOn = new Map<string, Set<string>>();
  for (const { application, node, killed } of ends) {
    if (killed) killedOn.set(application, (killedOn.get(application) ?? new Set()).add(node));
  }
  return new Set([...killedOn].flatMap(([application, on]) => (on.size >= nodes ? [application] : [])));
}
