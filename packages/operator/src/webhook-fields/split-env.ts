import type { EnvVar } from "@kindling/core-spec";

/** Variables for executors by the way they go. */
export interface SplitEnv {
  /** Behind Spark's first own variables, so that they win over these and may refer to them. */
  readonly byConf: Readonly<Record<string, string>>;
  /** In front of all of Spark's. */
  readonly inTemplate: readonly EnvVar[];
}

/**
 * Which variables can go through `spark.executorEnv.*`: those with a plain value, as the driver reads it, that name no
 * other variable of the list, since among these entries Spark keeps no order. The template has the others, and
 * what they refer to.
 */
export function splitEnv(env: readonly EnvVar[]): SplitEnv {
  const names = new Set(env.map(({ name }) => name));
  // A variable of several entries has its last value, wherever that goes.
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

/** Whether an entry of the driver's configuration can say it: Spark drops spaces around values, and such other names. */
function isPlain({ name, value = "", valueFrom }: EnvVar): boolean {
  return valueFrom === undefined && value === value.trim() && /^[-._a-zA-Z][-._a-zA-Z0-9]*$/.test(name);
}

/** The variables that a value refers to, as `$(NAME)`. */
export function referencesOf(value: string): string[] {
  return [...value.matchAll(/\$\(([^)]*)\)/g)].map(([, name = ""]) => name);
}
