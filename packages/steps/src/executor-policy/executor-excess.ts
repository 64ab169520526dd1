import { isRecord } from "../plain-data.ts";
import { ANY_ACCOUNT, fieldPowers } from "./field-powers.ts";
import { POD } from "./pod-rules.ts";
import { pathText, type Power } from "./power.ts";
import type { JudgedPod } from "./rules.ts";
import { mountPowers, unmountedGives } from "./shared-volumes.ts";
import { accountOf, tokenNeeds, tokenPowers, tokensOfAllowance, tokensOfPod } from "./tokens.ts";

/** The parts of a pod that are judged; its fields may have any shape. */
export interface PodParts {
  readonly name?: string | undefined;
  readonly annotations?: unknown;
  readonly spec?: unknown;
}

/** The sources that decide what an application's executors may have. */
export interface Allowed {
  /** The driver's pod, as it is in the cluster or as it will be created. */
  readonly driver: PodParts;
  /** What they may have in addition, as parts of a pod. */
  readonly allowance: PodParts;
}

/** What the executors of one driver may have. */
export interface ExecutorPolicy {
  /** What an executor has but may not have, in words for messages: `spec.volumes[0].secret.secretName (the Secret keys)`. */
  excessOf(executor: PodParts): string[];
  /** Whether an executor may have a token of its account that the API server accepts. */
  mayHaveToken(executor: PodParts): boolean;
}

/** Works out once what the driver's pod and its allowance permit. */
export function executorPolicy(allowed: Allowed): ExecutorPolicy {
  const given = givenBy(allowed);
  return {
    excessOf: (executor) =>
      beyond(given, executor).map(({ path, words }) => {
        return words === undefined ? pathText(path) : `${pathText(path)} (${words})`;
      }),
    mayHaveToken: ({ spec }) => tokenNeeds(accountOf(spec)).some((need) => given.has(need)),
  };
}

/**
 * What an executor has but may not have: the driver's pod does not have it in the same place, the allowance does not contain
 * it, and it is not harmless by its kind. An unknown field is never harmless.
 */
export function excessPowers(executor: PodParts, allowed: Allowed): Power[] {
  return beyond(givenBy(allowed), executor);
}

function beyond(given: ReadonlySet<string>, executor: PodParts): Power[] {
  const judged = { namePrefix: namePrefix(executor.name), account: accountOf(executor.spec) };
  return powersOf(executor, judged).filter(({ needs }) => !needs.some((need) => given.has(need)));
}

function givenBy({ driver, allowance }: Allowed): ReadonlySet<string> {
  return new Set([...givenByDriver(driver), ...givenByAllowance(allowance)]);
}

function powersOf({ annotations, spec }: PodParts, judged: JudgedPod): Power[] {
  return [
    ...fieldPowers({ metadata: { annotations }, spec }, POD, judged),
    ...mountPowers(spec, judged),
    ...tokenPowers(spec),
  ];
}

function givenByDriver(driver: PodParts): string[] {
  const judged = { namePrefix: undefined, account: accountOf(driver.spec) };
  return [...powersOf(driver, judged).flatMap(({ gives }) => gives), ...tokensOfPod(driver.spec)];
}

function givenByAllowance(allowance: PodParts): string[] {
  const { spec } = allowance;
  const isNamed = isRecord(spec) && (spec["serviceAccountName"] ?? spec["serviceAccount"]) !== undefined;
  const judged = { namePrefix: undefined, account: isNamed ? accountOf(spec) : ANY_ACCOUNT };
  return [
    ...powersOf(allowance, judged).flatMap(({ gives }) => gives),
    ...unmountedGives(spec, judged),
    ...tokensOfAllowance(spec),
  ];
}

function namePrefix(name: string | undefined): string | undefined {
  return /^(.+-exec-)[^-]+$/.exec(name ?? "")?.[1];
}
