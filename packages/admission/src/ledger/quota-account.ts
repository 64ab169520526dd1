import { quotaCost, quotaLeft, type NamespaceQuota } from "../quota.ts";
import { subtract, type Resources } from "../resources.ts";
import type { Batch } from "./shape.ts";
import { count, type Amounts, type Tally } from "./tally.ts";

/** What is left of a quota. */
export interface QuotaAccount {
  readonly quota: NamespaceQuota;
  readonly keys: readonly string[];
  readonly left: Tally;
  readonly kept: Tally;
  /** What becomes free when the executors that were asked to leave are gone. */
  readonly leaving: Tally;
  /** The part that pods of applications use. */
  readonly ours: Tally;
}

/** By namespace. */
export type QuotaAccounts = ReadonlyMap<string, readonly QuotaAccount[]>;

export function openQuotaAccounts(quotas: readonly NamespaceQuota[]): QuotaAccounts {
  const accounts = new Map<string, QuotaAccount[]>();
  for (const quota of quotas) {
    const account = {
      quota,
      keys: Object.keys(quota.hard),
      left: { ...quotaLeft(quota) },
      kept: {},
      leaving: {},
      ours: {},
    };
    accounts.set(quota.namespace, [...(accounts.get(quota.namespace) ?? []), account]);
  }
  return accounts;
}

/** The cost of pods, with the keys of the quota. */
export function costOf({ keys }: QuotaAccount, batches: readonly Batch[]): Amounts {
  return keys.map((key) => [key, batches.reduce((sum, one) => sum + quotaCost(key, one.shape.pod) * one.count, 0)]);
}

/** The first of these accounts that has too little left for the pods. */
export function quotaInTheWay(accounts: readonly QuotaAccount[], batches: readonly Batch[]): QuotaAccount | undefined {
  return accounts.find((account) =>
    costOf(account, batches).some(
      ([key, cost]) => cost > 0 && cost > (account.left[key] ?? 0) - (account.kept[key] ?? 0),
    ),
  );
}

/** Whether enough is left for the pods when the executors that were asked to leave are gone. */
export function isLeftSoon(account: QuotaAccount, batches: readonly Batch[]): boolean {
  const { left, leaving, kept } = account;
  return costOf(account, batches).every(
    ([key, cost]) => cost <= 0 || cost <= (left[key] ?? 0) + (leaving[key] ?? 0) - (kept[key] ?? 0),
  );
}

/**
 * The first of these accounts that would have too little left for the pods, either if no application used it, or if nobody
 * used it.
 */
export function quotaTooSmall(
  accounts: readonly QuotaAccount[],
  batches: readonly Batch[],
  besides: "others" | "nothing",
): QuotaAccount | undefined {
  return accounts.find((account) => {
    const { quota, ours } = account;
    const most: Resources = besides === "nothing" ? quota.hard : subtract(quota.hard, subtract(quota.used, ours));
    return costOf(account, batches).some(([key, cost]) => cost > 0 && cost > (most[key] ?? 0));
  });
}

/** Subtracts the cost of the pods from what is left; adds it if `times` is negative. */
export function chargeQuotas(accounts: readonly QuotaAccount[], batches: readonly Batch[], times: 1 | -1): void {
  for (const account of accounts) count(account.left, costOf(account, batches), -times);
}
