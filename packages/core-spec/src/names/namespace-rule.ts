/**
 * Which namespaces may use something: by name, where a name that ends in `*` is a prefix, or by labels, in the form of
 * Kubernetes' LabelSelector.
 */
export type NamespaceRule =
  | { readonly kind: "names"; readonly names: readonly string[] }
  | {
      readonly kind: "labels";
      readonly matchLabels: Readonly<Record<string, string>>;
      readonly matchExpressions: readonly LabelRequirement[];
    };

/** A line of `matchExpressions`; `In` and `NotIn` have values, the others have none. */
export interface LabelRequirement {
  readonly key: string;
  readonly operator: "In" | "NotIn" | "Exists" | "DoesNotExist";
  readonly values: readonly string[];
}

export interface NamespaceFacts {
  readonly name: string;
  /** `undefined` if they are not known. */
  readonly labels: Readonly<Record<string, string>> | undefined;
}

/**
 * Whether a namespace satisfies a rule, as in Kubernetes (apimachinery, labels/selector.go): a selector without conditions
 * accepts all, and `NotIn` also accepts namespaces without the label. If the labels are not known, a selector that checks
 * them accepts none.
 */
export function allowsNamespace(rule: NamespaceRule, { name, labels }: NamespaceFacts): boolean {
  if (rule.kind === "names") return rule.names.some((pattern) => matchesName(pattern, name));
  const conditions = [
    ...Object.entries(rule.matchLabels).map(([key, value]) => ({ key, operator: "In" as const, values: [value] })),
    ...rule.matchExpressions,
  ];
  return conditions.every((condition) => labels !== undefined && meets(condition, labels));
}

/** A rule in words: `etl, team-*`, or in kubectl's form of selectors, `team=etl,tier notin (dev)`. */
export function namespaceRuleText(rule: NamespaceRule): string {
  if (rule.kind === "names") return rule.names.length === 0 ? "none" : rule.names.join(", ");
  const conditions = [
    ...Object.entries(rule.matchLabels).map(([key, value]) => `${key}=${value}`),
    ...rule.matchExpressions.map(requirementText),
  ];
  return conditions.length === 0 ? "all" : conditions.join(",");
}

/** Reads a rule from a file: a list of names, or a LabelSelector. Returns a sentence if the value is neither. */
export function readNamespaceRule(value: unknown): NamespaceRule | string {
  if (Array.isArray(value)) return namesRule(value);
  if (!isRecord(value)) return "namespaces is neither a list of names nor matchLabels and matchExpressions";
  const unknown = Object.keys(value).find((name) => name !== "matchLabels" && name !== "matchExpressions");
  if (unknown !== undefined) return "namespaces has matchLabels and matchExpressions, and nothing else";
  const matchLabels = readLabels(value["matchLabels"] ?? {});
  if (matchLabels === undefined) return "matchLabels is not a map of labels and their values";
  const expressions = value["matchExpressions"] ?? [];
  const matchExpressions = Array.isArray(expressions) ? expressions.flatMap((one) => readRequirement(one) ?? []) : [];
  if (!Array.isArray(expressions) || matchExpressions.length < expressions.length)
    return "each of matchExpressions has a key, an operator In or NotIn with values, or Exists or DoesNotExist without them";
  return { kind: "labels", matchLabels, matchExpressions };
}

function namesRule(value: readonly unknown[]): NamespaceRule | string {
  const names = value.filter((name): name is string => typeof name === "string" && NAME.test(name));
  if (names.length < value.length)
    return "namespaces holds a name that no namespace can have; a * may stand at its end alone";
  return { kind: "names", names };
}

const NAME = /^(?:\*|[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?|[a-z0-9][a-z0-9-]{0,62}\*)$/;

function matchesName(pattern: string, name: string): boolean {
  return pattern.endsWith("*") ? name.startsWith(pattern.slice(0, -1)) : pattern === name;
}

function meets({ key, operator, values }: LabelRequirement, labels: Readonly<Record<string, string>>): boolean {
  const value = Object.hasOwn(labels, key) ? labels[key] : undefined;
  switch (operator) {
    case "In":
      return value !== undefined && values.includes(value);
    case "NotIn":
      return value === undefined || !values.includes(value);
    case "Exists":
      return value !== undefined;
    case "DoesNotExist":
      return value === undefined;
  }
}

function readLabels(value: unknown): Readonly<Record<string, string>> | undefined {
  if (!isRecord(value)) return undefined;
  const entries = Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === "string");
  return entries.length < Object.keys(value).length ? undefined : Object.fromEntries(entries);
}

function readRequirement(value: unknown): LabelRequirement | undefined {
  if (!isRecord(value)) return undefined;
  const { key, operator, values: given = [] } = value;
  if (typeof key !== "string" || key === "" || !Array.isArray(given)) return undefined;
  const values = given.filter((one): one is string => typeof one === "string");
  if (values.length < given.length) return undefined;
  switch (operator) {
    case "In":
    case "NotIn":
      return values.length === 0 ? undefined : { key, operator, values };
    case "Exists":
    case "DoesNotExist":
      return values.length > 0 ? undefined : { key, operator, values };
    default:
      return undefined;
  }
}

function requirementText({ key, operator, values }: LabelRequirement): string {
  switch (operator) {
    case "In":
      return `${key} in (${values.join(", ")})`;
    case "NotIn":
      return `${key} notin (${values.join(", ")})`;
    case "Exists":
      return key;
    case "DoesNotExist":
      return `!${key}`;
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
