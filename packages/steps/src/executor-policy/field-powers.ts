import { isRecord } from "../plain-data.ts";
import { comparedText } from "./compared-value.ts";
import { type Path, placeOf, type Power } from "./power.ts";
import { COMPARED, type Comparison, type JudgedPod, type Rule } from "./rules.ts";

/** Stands for every account, where an allowance names none. */
export const ANY_ACCOUNT = "*";

/** All that is in a part of a pod and is not harmless, by its rule. */
export function fieldPowers(value: unknown, rule: Rule, path: Path, pod: JudgedPod): Power[] {
  if (value === undefined || value === null) return [];
  const inner = (name: string | number, member: unknown, of: Rule = COMPARED): Power[] =>
    fieldPowers(member, of, [...path, name], pod);
  switch (rule.kind) {
    case "harmless":
      if (isPlain(value)) return [];
      break;
    case "list":
      if (Array.isArray(value)) return value.flatMap((item, index) => inner(index, item, rule.each));
      break;
    case "compared":
      return rule.isHarmless?.(value, pod) === true ? [] : [comparedPower(value, rule, path, pod)];
    default:
      if (isRecord(value)) {
        return Object.entries(value).flatMap(([name, member]) => inner(name, member, ruleOf(rule, name)));
      }
  }
  // It is not what Kubernetes would have there.
  return [comparedPower(value, COMPARED, path, pod)];
}

function ruleOf(rule: Exclude<Rule, Comparison | { kind: "harmless" | "list" }>, name: string): Rule | undefined {
  switch (rule.kind) {
    case "fields":
      return Object.hasOwn(rule.fields, name) ? rule.fields[name] : undefined;
    case "map":
      return rule.each;
    case "by-key":
      return rule.ruleOf(name);
  }
}

function isPlain(value: unknown): boolean {
  return Array.isArray(value) ? value.every((item) => typeof item !== "object") : typeof value !== "object";
}

function comparedPower(value: unknown, rule: Comparison, path: Path, { account }: JudgedPod): Power {
  const place = placeOf(path);
  const text = comparedText(value, place);
  const key = `${rule.names ?? place}=${text}`;
  const other = rule.orNames === undefined ? [] : [`${rule.orNames}=${text}`];
  const keys = rule.ofAccount === true ? [`${key}@${account}`, `${key}@${ANY_ACCOUNT}`] : [key, ...other];
  const isNamed = rule.names !== undefined && typeof value !== "object";
  return {
    path,
    ...(isNamed && { words: `the ${rule.names} ${String(value)}` }),
    needs: keys,
    gives: keys.slice(0, 1),
    allowing: [{ path, value }],
  };
}
