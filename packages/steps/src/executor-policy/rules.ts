/**
 * How one field of an executor's pod is judged. A field without a rule is compared as a whole: with the same place in the
 * driver's pod, or with the allowance.
 */
export type Rule =
  /** A plain value or a list of plain values, which gives no power, whatever it is. */
  | { readonly kind: "harmless" }
  /** Each field by its own rule. */
  | { readonly kind: "fields"; readonly fields: Readonly<Record<string, Rule>> }
  /** Each item by itself. */
  | { readonly kind: "list"; readonly each: Rule }
  /** Each entry by itself, under its key. */
  | { readonly kind: "map"; readonly each: Rule }
  /** Each entry by the rule for its key. */
  | { readonly kind: "by-key"; readonly ruleOf: (key: string) => Rule }
  | Comparison;

export interface Comparison {
  readonly kind: "compared";
  /** The kind of thing that its value names, such as a Secret: then it does not matter where the driver's pod names it. */
  readonly names?: string;
  /** Another kind of thing that also permits it: an account that may read a Secret may also pull images with it. */
  readonly orNames?: string;
  /** Whether it is a credential of the pod's account. */
  readonly ofAccount?: boolean;
  readonly isHarmless?: (value: unknown, pod: JudgedPod) => boolean;
}

/** What rules need to know about the pod with the judged fields. */
export interface JudgedPod {
  /** The prefix of the names of the application's executors, as `etl-exec-`; undefined for another name. */
  readonly namePrefix: string | undefined;
  /** The service account of the pod. */
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

/** Compared, except for these values. */
export function except(...values: readonly unknown[]): Comparison {
  return { kind: "compared", isHarmless: (value) => values.includes(value) };
}

/** Compared by what the value names: it may be anywhere in the driver's pod. */
export function naming(names: string, more: Omit<Comparison, "kind" | "names"> = {}): Comparison {
  return { kind: "compared", names, ...more };
}
