/**
 * How many persistent volume claims an application may have while its executors wait to take over those of others
 * (`spark.kubernetes.driver.waitToReusePersistentVolumeClaim`, with `ownPersistentVolumeClaim` and
 * `reusePersistentVolumeClaim`).
 */
export interface ClaimBudget {
  /** How many claims no executor mounts, so that a new one may use them. */
  readonly reusable: number;
  /** The largest number of executors that the application can ever have. */
  readonly limit: number;
  /** How many claims an executor of a resource profile needs. */
  readonly perExecutor: (profileId: number) => number;
}

/** The claims of a batch that is being planned. */
export interface ClaimCount {
  reusable: number;
  claims: number;
}

/** Whether one more executor may be created: not if it would need a new claim and the limit is reached. */
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
