import type { EnvVar } from "@kindling/core-spec";

/** Variables for executors, by the way in which executors get them. */
export interface SplitEnv {
  /** After Spark's first own variables, so that they win over these and may refer to them. */
  readonly byConf: Readonly<Record<string, string>>;
  /** Before all of Spark's variables. */
  readonly inTemplate: readonly EnvVar[];
}

/**
 * Which variables can go through `spark.executorEnv.*`: those with a plain value, as the driver reads it, that name no
 * other variable of the list, since Spark keeps no order among these entries. The template has the others, and the
 * variables that they refer to.
 */
export function splitEnv(env: readonly EnvVar[]): SplitEnv {
  const names = new Set(env.map(({ name }) => name));
  // A variable with several entries has its last value, whichever way it goes.
  const last = new Map(env.map((variable) => [variable.name, variable]));
  const byConf = new Map<string, string>();
  for (const variable of last.values()) {
    const { name, value = "" } = variable;
    if (isPlain(variable) && !referencesOf(value).some((wanted) => names.has(wanted))) byConf.set(name, value);
  }
  const stays = [...names].filter((name) => !byConf.has(name));
  const needed = withReferences(env, stays);
  return { byConf: Object.fromEntries(byConf), inTemplate: env.filter(({ name }) => needed.has(name)) };
}

/** Names with all those that their values refer to, and the values of these, and so on. */
function withReferences(env: readonly EnvVar[], names: readonly string[]): ReadonlySet<string> {
  const found = new Set(names);
  for (const name of found) {
    for (const variable of env) {
      if (variable.name !== name) continue;
      for (const wanted of referencesOf(variable.value ?? "")) found.add(wanted);
    }
  }
  return found;
}

/** Whether an entry of the driver's configuration can hold it: Spark drops spaces around values, and all other names. */
function isPlain({ name, value = "", valueFrom }: EnvVar): boolean {
  return valueFrom === undefined && value === value.trim() && /^[-._a-zA-Z][-._a-zA-Z0-9]*$/.test(name);
}

/** The variables that a value refers to, as `$(NAME)`. */
export function referencesOf(value: string): string[] {
  return [...value.matchAll(/\$\(([^)]*)\)/g)].map(([, name = ""]) => name);
}
