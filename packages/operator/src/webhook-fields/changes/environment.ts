import type { PodChanges } from "@kindling/core-spec";
import type { RoleFields } from "../role-fields.ts";
import { configDirectories } from "./config-maps.ts";

/** The last of several variables of one name is the one that counts, so the directories win over `env`. */
export function environment(given: RoleFields): Partial<PodChanges> {
  const { env = [], envFrom = [] } = given.fields;
  const directories = configDirectories(given.application).map(({ variable, path }) => ({
    name: variable,
    value: path,
  }));
  return { env: [...env, ...directories], envFrom };
}
