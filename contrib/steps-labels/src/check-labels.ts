import { KindlingError } from "@kindling/core-spec";
import { LABEL } from "./keys.ts";
import type { Rule } from "./policy.ts";

/** A value that a label has or will get, and its origin. */
export interface Labelled {
  readonly label: string;
  readonly value: string;
  /** A configuration key, or a part of a pod template. */
  readonly givenBy: string;
}

interface Breach {
  readonly code: "CONF_INVALID" | "CONF_MISSING";
  readonly problem: string;
  readonly remedy: string;
}

/**
 * Checks an application's labels against the rules of its site; all faults are reported at once.
 *
 * @param policyFile the path of the file with the rules
 * @throws KindlingError `CONF_MISSING` or `CONF_INVALID`, with key, file and line
 */
export function checkLabels(rules: readonly Rule[], labels: readonly Labelled[], policyFile: string): void {
  const breaches = rules.flatMap((rule) => {
    const place = `${policyFile}, line ${rule.line}`;
    const given = labels.filter(({ label }) => label === rule.label);
    return given.length === 0 ? missing(rule, place) : given.flatMap((one) => forbidden(rule, one, place));
  });
  const [first] = breaches;
  if (first === undefined) return;
  const remedies = [...new Set(breaches.map(({ remedy }) => remedy))];
  throw new KindlingError(first.code, breaches.map(({ problem }) => problem).join("; "), { hint: remedies.join(" ") });
}

function missing(rule: Rule, place: string): Breach[] {
  if (!rule.required) return [];
  const problem = `${keyOf(rule)} is not set, and label ${rule.label} is required (${place})`;
  return [{ code: "CONF_MISSING", problem, remedy: remedyFor(rule) }];
}

function forbidden(rule: Rule, { value, givenBy }: Labelled, place: string): Breach[] {
  const isAllowed = (rule.values?.includes(value) ?? true) && (rule.pattern?.test(value) ?? true);
  if (isAllowed) return [];
  const problem = `${givenBy}: ${JSON.stringify(value)} is not allowed for label ${rule.label} (${place})`;
  return [{ code: "CONF_INVALID", problem, remedy: remedyFor(rule) }];
}

function remedyFor(rule: Rule): string {
  const { values, pattern } = rule;
  const expected =
    values !== undefined
      ? values.join("|")
      : pattern !== undefined
        ? `<what matches ${pattern.source.slice("^(?:".length, -")$".length)}>`
        : "<value>";
  return `--conf ${keyOf(rule)}=${expected}`;
}

function keyOf({ label }: Rule): string {
  return `${LABEL.prefix}${label}`;
}
