import type { ExecutorId } from "../executor-pod/executor-pod.ts";
import type { AllocatorSettings } from "./allocator-settings.ts";
import { total, type ProfileCount } from "./profile-count.ts";

/**
 * The executors that are too many and have waited long: first those that were requested but not seen, then those that are
 * pending. A running executor is never among them: its driver decides which one may go.
 */
export function excessOf(count: ProfileCount, { executorIdleTimeoutMs }: AllocatorSettings, now: number): ExecutorId[] {
  const tooMany = total(count) - count.target;
  if (tooMany <= 0) return [];
  const unseen = count.requested.flatMap(([id, { at }]) => (now - at > executorIdleTimeoutMs ? [id] : []));
  const pending = count.pending.flatMap(({ id, created }) => (now - created > executorIdleTimeoutMs ? [id] : []));
  return [...unseen, ...pending].slice(0, tooMany);
}
