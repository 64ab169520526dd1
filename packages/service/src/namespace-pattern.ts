/** Whether a namespace matches one of some patterns, in which `*` stands for any characters. */
export function matchesNamespace(namespace: string, patterns: readonly string[]): boolean {
  return patterns.some((pattern) => toExpression(pattern).test(namespace));
}

function toExpression(pattern: string): RegExp {
  const literal = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  return new RegExp(`^${pattern.split("*").map(literal).join(".*")}$`);
}
