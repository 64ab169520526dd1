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
  const stays = new Set([...names].filter((name) => !byConf.has(name)));
  const all = env.filter(({ name }) => stays.has(name));
  const wanted = new Set(all.flatMap(({ value = "" }) => referencesOf(value)));
  return {
    byConf: Object.fromEntries(byConf),
    inTemplate: env.filter(({ name }) => stays.has(name) || wanted.has(name)),
  };
}

/** Whether an entry of the driver's configuration can say it: Spark drops spaces around values, and such other names. */
function isPlain({ name, value = "", valueFrom }: EnvVar): boolean {
  return valueFrom === undefined && value === value.trim() && /^[-._a-zA-Z][-._a-zA-Z0-9]*$/.test(name);
}

/** The variables that a value refers to, as `$(NAME)`. */
export function referencesOf(value: string): string[] {
  return [...value.matchAll(/\$\(([^)]*)\)/g)].map(([, name = ""]) => name);
}
