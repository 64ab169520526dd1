import { isRecord } from "../plain-data.ts";
import { ANY_ACCOUNT, fieldPowers } from "./field-powers.ts";
import { POD } from "./pod-rules.ts";
import { pathText, type Power } from "./power.ts";
import type { JudgedPod } from "./rules.ts";
import { mountPowers, unmountedGives } from "./shared-volumes.ts";
import { accountOf, tokenNeeds, tokenPowers, tokensOfAllowance, tokensOfPod } from "./tokens.ts";

/** What is judged of a pod; its fields may have any shape. */
export interface PodParts {
  readonly name?: string | undefined;
  readonly annotations?: unknown;
  readonly spec?: unknown;
}

/** Who has decided what an application's executors may have. */
export interface Allowed {
  /** The driver's pod, as the cluster has it or as it is to be made. */
  readonly driver: PodParts;
  /** What they may have besides, as parts of a pod. */
  readonly allowance: PodParts;
}

/** What the executors of one driver may have. */
export interface ExecutorPolicy {
  /** What an executor has that it may not have, in the words of messages: `spec.volumes[0].secret.secretName (the Secret keys)`. */
  excessOf(executor: PodParts): string[];
  /** Whether an executor may have a token of its account that the API server takes. */
  mayHaveToken(executor: PodParts): boolean;
}

/** Works out once what the driver's pod and its allowance give. */
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
 * What an executor has that it may not have: its driver's pod has it not in the same place, its allowance does not say it,
 * and it is nothing that is harmless by its kind. A field that is not known here is never harmless.
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
