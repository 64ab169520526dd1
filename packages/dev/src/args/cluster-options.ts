import { resolve } from "node:path";
import { KindlingError, parseQuantity } from "@kindling/core-spec";
import { defaultStateFolder } from "../state/state-paths.ts";
import type { Options } from "./parse-options.ts";

/** What a cluster is started with, as plain data: it travels to a process of its own. */
export interface ClusterOptions {
  readonly stateFolder: string;
  /** 0: any free one. */
  readonly port: number;
  readonly nodes: number;
  readonly cpu: string | undefined;
  readonly memory: string | undefined;
  readonly sparkHomes: readonly string[];
  /** The Spark of applications that name no image; undefined: the first there is. */
  readonly spark: string | undefined;
  /** Whether the user has agreed to fetching Sparks. */
  readonly mayFetch: boolean;
}

type Env = Readonly<Record<string, string | undefined>>;

/** @throws KindlingError `ARGUMENT_INVALID` */
export function clusterOptions(options: Options, env: Env, cwd: string): ClusterOptions {
  return {
    stateFolder: stateFolder(options, env, cwd),
    port: wholeNumber(options, "port", 0, 65_535) ?? 0,
    nodes: wholeNumber(options, "nodes", 1, 1000) ?? 1,
    cpu: quantity(options, "cpu"),
    memory: quantity(options, "memory"),
    sparkHomes: options.values("spark-home").map((home) => resolve(cwd, home)),
    spark: sparkVersion(options),
    mayFetch: options.has("yes"),
  };
}

/** The state folder that is named, or the default one. */
export function stateFolder(options: Options, env: Env, cwd: string): string {
  const given = options.value("state");
  if (given === "") throw new KindlingError("ARGUMENT_INVALID", "--state names no folder");
  return given === undefined ? defaultStateFolder(env) : resolve(cwd, given);
}

function wholeNumber(options: Options, name: string, least: number, most: number): number | undefined {
  const text = options.value(name);
  if (text === undefined) return undefined;
  const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (value >= least && value <= most) return value;
  throw new KindlingError("ARGUMENT_INVALID", `--${name} ${text}: must be a number from ${least} to ${most}`);
}

function quantity(options: Options, name: string): string | undefined {
  const text = options.value(name);
  if (text === undefined) return undefined;
  if (parseQuantity(text) !== undefined) return text;
  throw new KindlingError("ARGUMENT_INVALID", `--${name} ${text}: must be a quantity such as 4, 500m or 8Gi`);
}

function sparkVersion(options: Options): string | undefined {
  const text = options.value("spark");
  if (text === undefined || /^\d+\.\d+(\.\d+)?$/.test(text)) return text;
  throw new KindlingError("ARGUMENT_INVALID", `--spark ${text}: must be a version such as 4.3.0 or 3.5`);
}
