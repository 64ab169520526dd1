import type { PodChanges } from "@kindling/core-spec";
import type { RoleFields } from "../role-fields.ts";
import { configDirectories } from "./config-maps.ts";

/** If several variables have one name, the last one counts, so the directories win over `env`. */
export function environment(given: RoleFields): Partial<PodChanges> {
  const { env = [], envFrom = [] } = given.fields;
  const directories = configDirectories(given.application).map(({ variable, path }) => ({
    name: variable,
    value: path,
  }));
  return { env: [...env, ...directories], envFrom };
}
