/** How an executor ended that had a node. */
export interface ExecutorEnd {
  readonly application: string;
  readonly node: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** Whether it was killed or lost, and did not end by itself or because its driver or the gateway wished it. */
  readonly killed: boolean;
}

export interface NodeBackoffSettings {
  /** How many executors a node must have killed, with none that ended well in between, before it gets no more. */
  readonly threshold: number;
  /** The first time, which doubles with each executor killed after that, and the longest. */
  readonly firstMs: number;
  readonly longestMs: number;
  /** An end that lies further back is forgotten. */
  readonly forgetMs: number;
  /** An application whose executors were killed on so many nodes is to blame itself: they count against no node. */
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
