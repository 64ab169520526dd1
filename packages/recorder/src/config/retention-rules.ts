import { confType, isDnsLabel, type ConfType } from "@kindling/core-spec";
import { seconds, sizeBytes } from "@kindling/service/settings";
import type { RetentionLimits } from "../runs/retention.ts";

/** The limits of some namespaces, by name. */
export type RetentionRules = ReadonlyMap<string, RetentionLimits>;

const FORM = "entries such as etl=90d, or etl=90d/200g with a size";

/** `NAMESPACE=AGE` or `NAMESPACE=AGE/SIZE`, with commas between them. An age of `0` has no limit. */
export const retentionRules: ConfType<RetentionRules> = {
  name: "list",
  parse(written) {
    const entries = confType.list.parse(written);
    if (confType.isMisfit(entries)) return entries;
    const rules = new Map<string, RetentionLimits>();
    for (const entry of entries) {
      const [, namespace = "", age = "", size] = /^([^=]+)=([^/]+)(?:\/(.+))?$/.exec(entry) ?? [];
      const parsedAge = seconds.parse(age);
      const bytes = size === undefined ? undefined : sizeBytes.parse(size);
      if (!isDnsLabel(namespace) || confType.isMisfit(parsedAge) || confType.isMisfit(bytes))
        return confType.misfit(FORM);
      rules.set(namespace, limitsOf(parsedAge, bytes));
    }
    return rules;
  },
};

/** Limits in the units of settings: seconds and bytes. An age of 0 means no limit. */
export function limitsOf(ageSeconds: number, bytes: number | undefined): RetentionLimits {
  return { age: ageSeconds === 0 ? undefined : ageSeconds * 1000, bytes };
}
