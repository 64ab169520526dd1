import type { LabelSelectorSpec } from "@kindling/api-server";

/** A selector in the form of an API query: `a=b,c in (d,e)`. */
export function selectorText({ matchLabels = {}, matchExpressions = [] }: LabelSelectorSpec): string {
  const labels = Object.entries(matchLabels).map(([key, value]) => `${key}=${value}`);
  const rest = matchExpressions.map(({ key, operator, values = [] }) => {
    if (operator === "Exists") return key;
    if (operator === "DoesNotExist") return `!${key}`;
    return `${key} ${operator.toLowerCase()} (${values.join(",")})`;
  });
  return [...labels, ...rest].sort().join(",");
}
