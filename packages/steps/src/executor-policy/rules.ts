/**
 * How one field of an executor's pod is judged. A field without a rule is compared as a whole: with what the driver's pod
 * has in the same place, or what its allowance says.
 */
export type Rule =
  /** A plain value, or a list of such, that gives no power whatever it is. */
  | { readonly kind: "harmless" }
  /** Each field by its own rule. */
  | { readonly kind: "fields"; readonly fields: Readonly<Record<string, Rule>> }
  /** Each member by itself. */
  | { readonly kind: "list"; readonly each: Rule }
  /** Each entry by itself, under its key. */
  | { readonly kind: "map"; readonly each: Rule }
  /** Each entry by the rule for its key. */
  | { readonly kind: "by-key"; readonly ruleOf: (key: string) => Rule }
  | Comparison;

export interface Comparison {
  readonly kind: "compared";
  /** What its value names, such as a Secret: then it does not matter where the driver's pod names it. */
  readonly names?: string;
  /** Another such thing that is as good: who may read a Secret may pull images with it. */
  readonly orNames?: string;
  /** It is a credential of the account that the pod has. */
  readonly ofAccount?: boolean;
  readonly isHarmless?: (value: unknown, pod: JudgedPod) => boolean;
}

/** What rules have to know of the pod whose fields they judge. */
export interface JudgedPod {
  /** What the names of its application's executors begin with, as `etl-exec-`; undefined for another name. */
  readonly namePrefix: string | undefined;
  /** The service account that it runs as. */
  readonly account: string;
}

export const HARMLESS: Rule = { kind: "harmless" };

export const COMPARED: Comparison = { kind: "compared" };

export function fields(rules: Readonly<Record<string, Rule>>): Rule {
  return { kind: "fields", fields: rules };
}

export function list(each: Rule): Rule {
  return { kind: "list", each };
}

export function map(each: Rule): Rule {
  return { kind: "map", each };
}

/** Rules for fields that are all harmless. @param names separated by blanks */
export function harmless(names: string): Record<string, Rule> {
  return Object.fromEntries(names.split(" ").map((name) => [name, HARMLESS]));
}

/** Compared, but for these values. */
export function except(...values: readonly unknown[]): Comparison {
  return { kind: "compared", isHarmless: (value) => values.includes(value) };
}

/** Compared by what the value names, wherever in the driver's pod that is named. */
export function naming(names: string, more: Omit<Comparison, "kind" | "names"> = {}): Comparison {
  return { kind: "compared", names, ...more };
}
