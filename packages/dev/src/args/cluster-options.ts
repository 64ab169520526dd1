import { resolve } from "node:path";
import type { CommandLine, Option } from "@kindling/command-line";
import { confType, type ConfType, KindlingError, parseQuantity } from "@kindling/core-spec";
import type { Outside } from "@kindling/outside";
import { defaultStateFolder } from "../state/state-paths.ts";

export const STATE_OPTION: Option = {
  name: "state",
  value: "DIR",
  help: "where it keeps its files; default: kindling/dev in XDG_STATE_HOME or ~/.local/state",
};

/** The options that say which Spark applications run on. */
const SPARK_OPTIONS: readonly Option[] = [
  { name: "spark-home", value: "DIR", help: "a Spark to run, before SPARK_HOME and pyspark; may be given again" },
  {
    name: "spark",
    value: "VERSION",
    help: "the Spark of applications that name no image; default: the first there is",
  },
];

const YES_OPTION: Option = {
  name: "yes",
  short: "y",
  help: "fetch Sparks that are not on this machine from PyPI (about 450 MB each) without asking",
};

/** The options for starting a cluster. */
export const CLUSTER_OPTIONS: readonly Option[] = [
  STATE_OPTION,
  { name: "port", value: "N", help: "the API server's port; default: any free one" },
  { name: "nodes", value: "N", help: "how many nodes it has; default: 1" },
  { name: "cpu", value: "QUANTITY", help: "what each node says that it has; default: eight times this machine's" },
  { name: "memory", value: "QUANTITY", help: "what each node says that it has; default: all of this machine's" },
  ...SPARK_OPTIONS,
  { name: "gateway", help: "start a gateway too: it makes the executors, and drivers need no rights" },
  {
    name: "queues",
    value: "FILE",
    help: "the gateway's queues, as YAML; it is read again when it changes. Without it, all applications are in one queue",
  },
  {
    name: "operator",
    help: "start an operator too: it runs SparkApplication and ScheduledSparkApplication objects, see kindling app",
  },
  {
    name: "retention-age",
    value: "TIME",
    help: "how long applications that have ended are kept, such as 7d; 0 is for ever; default: 30d",
  },
  {
    name: "retention-size",
    value: "SIZE",
    help: "how much those of one namespace may take together, such as 500m; the oldest go; default: 5g",
  },
  YES_OPTION,
];

/** The options for starting a cluster as it is without any others. */
export const PLAIN_CLUSTER_OPTIONS: readonly Option[] = [STATE_OPTION, ...SPARK_OPTIONS, YES_OPTION];

/** The options of a cluster as plain data: they are sent to a separate process. */
export interface ClusterOptions {
  readonly stateFolder: string;
  /** 0 means any free port. */
  readonly port: number;
  readonly nodes: number;
  readonly cpu: string | undefined;
  readonly memory: string | undefined;
  readonly sparkHomes: readonly string[];
  /** The Spark version for applications that name no image. Undefined: the first one that is found. */
  readonly spark: string | undefined;
  /** Whether drivers connect to a gateway instead of the API server. */
  readonly gateway: boolean;
  /** The file of the gateway's queues. */
  readonly queues: string | undefined;
  /** Whether an operator runs SparkApplications. */
  readonly operator: boolean;
  /** How long applications that have ended are kept, and how much they may take, as the recorder's settings have it. */
  readonly retention: Retention;
  /** Whether the user has agreed to downloads of Spark. */
  readonly mayFetch: boolean;
}

export interface Retention {
  readonly age: string;
  readonly size: string;
}

/** On a laptop, a history must not fill the disk. */
const RETENTION: Retention = { age: "30d", size: "5g" };

type Place = Pick<Outside, "env" | "cwd">;

/** @throws KindlingError `ARGUMENT_INVALID` */
export function clusterOptions(options: CommandLine, { env, cwd }: Place): ClusterOptions {
  return {
    stateFolder: stateFolder(options, { env, cwd }),
    port: wholeNumber(options, "port", 0, 65_535) ?? 0,
    nodes: wholeNumber(options, "nodes", 1, 1000) ?? 1,
    cpu: quantity(options, "cpu"),
    memory: quantity(options, "memory"),
    sparkHomes: options.values("spark-home").map((home) => resolve(cwd, home)),
    spark: sparkVersion(options),
    gateway: options.has("gateway"),
    queues: queuesFile(options, cwd),
    operator: options.has("operator"),
    retention: {
      age: parsable(options, "retention-age", confType.time("ms"), "a time such as 12h or 30d") ?? RETENTION.age,
      size: parsable(options, "retention-size", confType.bytes("b"), "a size such as 500m or 5g") ?? RETENTION.size,
    },
    mayFetch: options.has("yes"),
  };
}

/** The state folder in the options, or the default one. */
export function stateFolder(options: CommandLine, { env, cwd }: Place): string {
  const given = options.value("state");
  if (given === "") throw new KindlingError("ARGUMENT_INVALID", "--state names no folder");
  return given === undefined ? defaultStateFolder(env) : resolve(cwd, given);
}

function queuesFile(options: CommandLine, cwd: string): string | undefined {
  const given = options.value("queues");
  if (given === undefined) return undefined;
  if (options.has("gateway")) return resolve(cwd, given);
  throw new KindlingError("ARGUMENT_INVALID", "--queues without --gateway: a gateway has queues", {
    hint: "add --gateway",
  });
}

/**
 * The value of an option, if it is there.
 *
 * @throws KindlingError `ARGUMENT_INVALID` if it is no number, or one beyond these bounds
 */
export function wholeNumber(options: CommandLine, name: string, least: number, most: number): number | undefined {
  const text = options.value(name);
  if (text === undefined) return undefined;
  const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (value >= least && value <= most) return value;
  throw new KindlingError("ARGUMENT_INVALID", `--${name} ${text}: must be a number from ${least} to ${most}`);
}

function quantity(options: CommandLine, name: string): string | undefined {
  const text = options.value(name);
  if (text === undefined) return undefined;
  if (parseQuantity(text) !== undefined) return text;
  throw new KindlingError("ARGUMENT_INVALID", `--${name} ${text}: must be a quantity such as 4, 500m or 8Gi`);
}

/** The text of an option, if it is a value of its type that is not negative. */
function parsable(options: CommandLine, name: string, type: ConfType<number>, form: string): string | undefined {
  const text = options.value(name);
  if (text === undefined) return undefined;
  const value = type.parse(text);
  if (!confType.isMisfit(value) && value >= 0) return text;
  throw new KindlingError("ARGUMENT_INVALID", `--${name} ${text}: must be ${form}`);
}

function sparkVersion(options: CommandLine): string | undefined {
  const text = options.value("spark");
  if (text === undefined || /^\d+\.\d+(\.\d+)?$/.test(text)) return text;
  throw new KindlingError("ARGUMENT_INVALID", `--spark ${text}: must be a version such as 4.3.0 or 3.5`);
}
