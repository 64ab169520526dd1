import type { NodeSelectorRequirement } from "kubernetes-types/core/v1.js";

/**
 * Which values a label may have: one of these, or any except these. "None of these, and nothing else" (`In` without values)
 * means that the label is missing.
 */
export interface LabelValues {
  readonly isExcept: boolean;
  readonly values: ReadonlySet<string>;
  /** The value must be a number above this one. */
  readonly above?: number | undefined;
  /** The value must be a number below this one. */
  readonly below?: number | undefined;
}

/** Any value. */
export const ANY_VALUE: LabelValues = { isExcept: true, values: new Set() };

/** The label is missing. */
export const NO_VALUE: LabelValues = { isExcept: false, values: new Set() };

export function oneValue(value: string): LabelValues {
  return { isExcept: false, values: new Set([value]) };
}

/** What a requirement of a node selector permits; nothing, if its operator is not known. */
export function permittedValues({ operator, values = [] }: Omit<NodeSelectorRequirement, "key">): LabelValues {
  switch (operator) {
    case "In":
      return { isExcept: false, values: new Set(values) };
    case "NotIn":
      return { isExcept: true, values: new Set(values) };
    case "Exists":
      return ANY_VALUE;
    case "Gt":
      return { ...ANY_VALUE, above: Number(values[0]) };
    case "Lt":
      return { ...ANY_VALUE, below: Number(values[0]) };
    case "Gte":
      return { ...ANY_VALUE, above: Number(values[0]) - 1 };
    case "Lte":
      return { ...ANY_VALUE, below: Number(values[0]) + 1 };
    default:
      return NO_VALUE;
  }
}

/** The values that both permit. */
export function commonValues(a: LabelValues, b: LabelValues): LabelValues {
  const above = strictest(a.above, b.above, Math.max);
  const below = strictest(a.below, b.below, Math.min);
  const range = { ...(above !== undefined && { above }), ...(below !== undefined && { below }) };
  if (a.isExcept && b.isExcept) return { isExcept: true, values: new Set([...a.values, ...b.values]), ...range };
  const [list, other] = a.isExcept ? [b, a] : [a, b];
  const values = [...list.values].filter((value) => permits({ ...other, ...range }, value));
  return { isExcept: false, values: new Set(values) };
}

/** Whether the label may have this value. */
export function permits({ isExcept, values, above, below }: LabelValues, value: string): boolean {
  if (values.has(value) === isExcept) return false;
  return (above === undefined || Number(value) > above) && (below === undefined || Number(value) < below);
}

/** Whether no value is left. */
export function isImpossible({ isExcept, values, above, below }: LabelValues): boolean {
  if (!isExcept) return values.size === 0;
  return above !== undefined && below !== undefined && above + 1 >= below;
}

/** Whether a label may have a value that meets the requirement. A missing label meets `NotIn` and `DoesNotExist`. */
export function mayMeet(label: LabelValues, requirement: Omit<NodeSelectorRequirement, "key">): boolean {
  const isMissing = isImpossible(label);
  switch (requirement.operator) {
    case "DoesNotExist":
      return isMissing;
    case "NotIn":
      return isMissing || !isImpossible(commonValues(label, permittedValues(requirement)));
    default:
      return !isMissing && !isImpossible(commonValues(label, permittedValues(requirement)));
  }
}

function strictest(
  a: number | undefined,
  b: number | undefined,
  choose: (a: number, b: number) => number,
): number | undefined {
  return a === undefined ? b : b === undefined ? a : choose(a, b);
}
