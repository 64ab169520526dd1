import { isRecord } from "../plain-data.ts";
import { comparedText } from "./compared-value.ts";
import { type Path, placeOf, type Power } from "./power.ts";
import { COMPARED, type Comparison, type JudgedPod, type Rule } from "./rules.ts";

/** Stands for every account, if an allowance names none. */
export const ANY_ACCOUNT = "*";

/** Everything in a pod that is not harmless, by the rule for a pod. */
export function fieldPowers(value: unknown, rule: Rule, pod: JudgedPod): Power[] {
  const powers: Power[] = [];
  collect(value, rule, undefined, (found, comparison, place) => {
    if (comparison.isHarmless?.(found, pod) !== true) powers.push(comparedPower(found, comparison, pathOf(place), pod));
  });
  return powers;
}

/** A place in a pod. Its text is built only when it is needed: most fields are harmless. */
interface Place {
  readonly within: Place | undefined;
  readonly name: string | number;
}

/** Finds the values that have to be compared. */
function collect(
  value: unknown,
  rule: Rule,
  place: Place | undefined,
  found: (value: unknown, rule: Comparison, place: Place | undefined) => void,
): void {
  if (value === undefined || value === null) return;
  switch (rule.kind) {
    case "harmless":
      if (isPlain(value)) return;
      break;
    case "compared":
      found(value, rule, place);
      return;
    case "list":
      if (!Array.isArray(value)) break;
      for (const [index, item] of value.entries()) collect(item, rule.each, { within: place, name: index }, found);
      return;
    case "by-key":
    case "fields":
    case "map":
      if (!isRecord(value)) break;
      for (const name of Object.keys(value)) {
        collect(value[name], ruleOf(rule, name) ?? COMPARED, { within: place, name }, found);
      }
      return;
  }
  // The value is not Kubernetes' default.
  found(value, COMPARED, place);
}

function pathOf(place: Place | undefined): Path {
  return place === undefined ? [] : [...pathOf(place.within), place.name];
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
