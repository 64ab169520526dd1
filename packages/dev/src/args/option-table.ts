/** One option, for the parser and the help. */
export interface Option {
  readonly name: string;
  readonly short?: string;
  /** What its value is called; an option without one is a switch. */
  readonly value?: string;
  readonly help: string;
}

export const STATE_OPTION: Option = {
  name: "state",
  value: "DIR",
  help: "where it keeps its files; default: kindling/dev in XDG_STATE_HOME or ~/.local/state",
};
export const HELP_OPTION: Option = { name: "help", short: "h", help: "this text" };
export const VERBOSE_OPTION: Option = { name: "verbose", short: "v", help: "show what an error was caused by" };

/** What a cluster can be started with. */
export const CLUSTER_OPTIONS: readonly Option[] = [
  STATE_OPTION,
  { name: "port", value: "N", help: "the API server's port; default: any free one" },
  { name: "nodes", value: "N", help: "how many nodes it has; default: 1" },
  { name: "cpu", value: "QUANTITY", help: "what each node says that it has; default: eight times this machine's" },
  { name: "memory", value: "QUANTITY", help: "what each node says that it has; default: all of this machine's" },
  { name: "spark-home", value: "DIR", help: "a Spark to run, before SPARK_HOME and pyspark; may be given again" },
  {
    name: "spark",
    value: "VERSION",
    help: "the Spark of applications that name no image; default: the first there is",
  },
  { name: "yes", short: "y", help: "fetch Sparks that are not on this machine from PyPI (about 450 MB each), unasked" },
];

export interface CommandUsage {
  readonly name: string;
  readonly summary: string;
  /** What stands behind the options. */
  readonly operands: string;
  readonly options: readonly Option[];
  readonly examples: readonly string[];
}

export const USAGES: readonly CommandUsage[] = [
  {
    name: "up",
    summary: "start a cluster and a staging server on this machine",
    operands: "",
    options: [
      ...CLUSTER_OPTIONS,
      { name: "foreground", short: "f", help: "stay in this terminal; Ctrl-C ends it" },
      VERBOSE_OPTION,
      HELP_OPTION,
    ],
    examples: [
      "kindling dev up",
      "kindling dev up --spark-home ~/spark-4.3.0 --nodes 3",
      "kindling dev up --foreground",
    ],
  },
  {
    name: "status",
    summary: "tell whether it runs, and where",
    operands: "",
    options: [
      STATE_OPTION,
      { name: "output", short: "o", value: "FORMAT", help: "text (default), json or yaml" },
      VERBOSE_OPTION,
      HELP_OPTION,
    ],
    examples: ["kindling dev status", "kindling dev status -o json"],
  },
  {
    name: "down",
    summary: "end it, with all that runs in it",
    operands: "",
    options: [STATE_OPTION, VERBOSE_OPTION, HELP_OPTION],
    examples: ["kindling dev down"],
  },
  {
    name: "run",
    summary: "start it, submit an application, follow it to its end, and end it",
    operands: "-- <arguments of kindling submit>",
    options: [...CLUSTER_OPTIONS, VERBOSE_OPTION, HELP_OPTION],
    examples: ["kindling dev run -- --num-executors 2 --logs words.py text.txt"],
  },
];
