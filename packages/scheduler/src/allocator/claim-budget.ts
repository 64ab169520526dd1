/**
 * How many persistent volume claims an application may have while its executors wait to take over those of others
 * (`spark.kubernetes.driver.waitToReusePersistentVolumeClaim`, with `ownPersistentVolumeClaim` and
 * `reusePersistentVolumeClaim`).
 */
export interface ClaimBudget {
  /** Claims that no executor mounts, and that a new one may. */
  readonly reusable: number;
  /** The largest number of executors that the application can ever have. */
  readonly limit: number;
  /** Of an executor of a resource profile. */
  readonly perExecutor: (profileId: number) => number;
}

/** The claims of a batch in the making. */
export interface ClaimCount {
  reusable: number;
  claims: number;
}

/** Whether one more executor may be made: not where it would need a new claim, and there are enough of them. */
export function mayClaim({ reusable, claims }: ClaimCount, { limit }: ClaimBudget): boolean {
  return reusable > 0 || claims < limit;
}

/** The count after one more executor. */
export function withClaimsOf(
  { reusable, claims }: ClaimCount,
  profileId: number,
  { perExecutor }: ClaimBudget,
): ClaimCount {
  const needed = perExecutor(profileId);
  const reused = Math.min(needed, reusable);
  return { reusable: reusable - reused, claims: claims + needed - reused };
}
