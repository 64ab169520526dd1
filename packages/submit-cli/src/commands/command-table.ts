import {
  HELP_OPTION,
  outputOption,
  type CommandContext,
  type DeclaredCommand,
  type Program,
  VERBOSE_OPTION,
} from "@kindling/command-line";
import { exitCodeRows } from "@kindling/core-spec";
import {
  BUNDLE_FORMATS,
  CONFIG_FORMATS,
  LIST_FORMATS,
  OBJECT_FORMATS,
  QUEUE_FORMATS,
  REPORT_FORMATS,
  STATUS_FORMATS,
} from "./output-formats.ts";
import { ARCHIVE_COMMANDS } from "./archive/command-table.ts";
import { REACH_OPTIONS } from "./reach-options.ts";
import { WAITED_FOR } from "./waited-for.ts";
import { SUBMIT_EXAMPLES } from "./submit-examples.ts";

/** The commands besides submit and explain, which take spark-submit's arguments, in the order of the help. */
export const DECLARED_COMMANDS: readonly DeclaredCommand[] = [
  {
    name: "status",
    alsoCalled: ["describe"],
    summary: "show how applications are, and why",
    operands: { shown: "NAME…" },
    options: [
      { name: "watch", short: "w", help: "show it again whenever it changes, until it ends" },
      outputOption(STATUS_FORMATS),
      ...REACH_OPTIONS,
      VERBOSE_OPTION,
      HELP_OPTION,
    ],
    examples: [
      "kindling status etl",
      "kindling status -w spark:etl-8d3f-driver",
      "kindling status -o json 'spark:etl-*'",
    ],
    load: async () => (await import("./status-command.ts")).statusCommand,
  },
  {
    name: "list",
    alsoCalled: ["get", "ls", "ps"],
    summary: "list applications",
    options: [
      { name: "all-namespaces", short: "A", help: "applications of all namespaces" },
      { name: "watch", short: "w", help: "show them again whenever they change" },
      { name: "selector", short: "l", value: "LABELS", help: "only those whose driver pod has these labels" },
      outputOption(LIST_FORMATS),
      ...REACH_OPTIONS,
      VERBOSE_OPTION,
      HELP_OPTION,
    ],
    examples: ["kindling list", "kindling list -A -o json", "kindling list -n spark -l team=data"],
    load: async () => (await import("./list-command.ts")).listCommand,
  },
  {
    name: "logs",
    summary: "show the log of a driver or an executor",
    operands: { shown: "NAME" },
    options: [
      { name: "follow", short: "f", help: "go on until the container ends" },
      { name: "executor", short: "e", value: "ID", help: "the log of this executor instead of the driver's" },
      { name: "container", value: "NAME", help: "another container than the one that runs Spark" },
      { name: "tail", value: "LINES", help: "only the last lines" },
      { name: "since", value: "DURATION", help: "only what is newer than this, such as 5m" },
      { name: "timestamps", help: "with the time before each line" },
      { name: "previous", short: "p", help: "that of the run before, which a recorder keeps" },
      { name: "attempt", value: "N", help: "that of this attempt, which a recorder keeps; the first one is 1" },
      ...REACH_OPTIONS,
      VERBOSE_OPTION,
      HELP_OPTION,
    ],
    examples: [
      "kindling logs -f spark:etl-8d3f-driver",
      "kindling logs --executor 3 --tail 100 spark:etl-8d3f-driver",
      "kindling logs --previous etl",
    ],
    load: async () => (await import("./logs-command.ts")).logsCommand,
  },
  {
    name: "wait",
    summary: "wait for an application, and have its exit code",
    operands: { shown: "NAME" },
    options: [
      {
        name: "for",
        value: "STATE",
        choices: WAITED_FOR,
        help: "ended (default), or running: until the driver has started",
      },
      {
        name: "timeout",
        value: "DURATION",
        help: "wait no longer, such as 30m; then exit with 124, and the application goes on; default: no limit",
      },
      ...REACH_OPTIONS,
      VERBOSE_OPTION,
      HELP_OPTION,
    ],
    examples: ["kindling wait spark:etl-driver", "kindling wait --for running --timeout 10m spark:etl-driver"],
    load: async () => (await import("./wait-command.ts")).waitCommand,
  },
  {
    name: "kill",
    alsoCalled: ["delete", "rm"],
    summary: "end applications by deleting their driver pods",
    operands: { shown: "NAME…" },
    options: [
      { name: "grace-period", value: "SECONDS", help: "how long the driver has to end by itself" },
      ...REACH_OPTIONS,
      VERBOSE_OPTION,
      HELP_OPTION,
    ],
    examples: ["kindling kill spark:etl-8d3f-driver", "kindling kill --grace-period 0 'spark:etl-*'"],
    load: async () => (await import("./kill-command.ts")).killCommand,
  },
  {
    name: "tune",
    summary: "show what runs of an application needed of memory, and propose what to ask for",
    operands: { shown: "NAME" },
    options: [outputOption(REPORT_FORMATS), ...REACH_OPTIONS, VERBOSE_OPTION, HELP_OPTION],
    examples: ["kindling tune nightly", "kindling tune -n spark -o json nightly"],
    load: async () => (await import("./tune-command.ts")).tuneCommand,
  },
  ...ARCHIVE_COMMANDS,
  {
    name: "queue",
    alsoCalled: ["queues"],
    summary: "show a gateway's queues, what waits in them, and why",
    operands: { shown: "[QUEUE]", most: 1 },
    options: [
      {
        name: "gateway",
        value: "WHERE",
        help: "NAMESPACE/SERVICE[:PORT], reached through the API server, or a URI; default: spark.kindling.scheduler.pageUri, else the service of spark.kindling.scheduler.uri, which an installation may say",
      },
      { name: "watch", short: "w", help: "show them again whenever they change" },
      outputOption(QUEUE_FORMATS),
      ...REACH_OPTIONS.map((option) =>
        option.name === "namespace"
          ? { ...option, help: "only applications of this namespace, whose installation is asked" }
          : option,
      ),
      VERBOSE_OPTION,
      HELP_OPTION,
    ],
    examples: [
      "kindling queue",
      "kindling queue etl.daily -w",
      "kindling queue -o json --gateway kindling/kindling-gateway",
      "kindling queue --gateway http://127.0.0.1:8081",
    ],
    load: async () => (await import("./queue-command.ts")).queueCommand,
  },
  {
    name: "staging",
    summary: "manage the files that a staging server holds",
    operands: { shown: "ls | rm BUNDLE… | gc | stat" },
    options: [
      {
        name: "server",
        value: "URI",
        help: "the staging server; default: spark.kindling.staging.uri, KINDLING_STAGING_URI, else the installation's",
      },
      { name: "ca-file", value: "FILE", help: "certificates that the server's must be signed by" },
      {
        name: "token-file",
        value: "FILE",
        help: "a bearer token; default: KINDLING_STAGING_TOKEN, else one of the namespace's kindling-submitter",
      },
      { name: "all-namespaces", short: "A", help: "with ls: the bundles of all namespaces that you may see" },
      { name: "dry-run", help: "with gc: say what would be deleted, and delete nothing" },
      outputOption(BUNDLE_FORMATS, "table (default), name (of ls), json or yaml"),
      ...REACH_OPTIONS,
      VERBOSE_OPTION,
      HELP_OPTION,
    ],
    examples: [
      "kindling staging ls -n spark",
      "kindling staging rm 3f2c…",
      "kindling staging gc --dry-run",
      "kindling staging stat --server https://staging.example:10000 -o json",
    ],
    load: async () => (await import("./staging-command.ts")).stagingCommand,
  },
  {
    name: "config",
    summary: "look up configuration keys",
    operands: { shown: "[KEY]", most: 1 },
    options: [
      { name: "effective", help: "what a submission from here would have, and where each value comes from" },
      { name: "properties-file", value: "FILE", help: "with --effective: as submit takes it" },
      { name: "conf", short: "c", value: "KEY=VALUE", help: "with --effective: as submit takes it" },
      outputOption(CONFIG_FORMATS),
      HELP_OPTION,
    ],
    examples: [
      "kindling config",
      "kindling config spark.kubernetes.driver.pod.name",
      "kindling config memory",
      "kindling config --effective",
    ],
    load: async () => (await import("./config-command.ts")).configCommand,
  },
  {
    name: "doctor",
    summary: "look at an installation from your side: what is wrong, and what to do",
    options: [
      { name: "no-pod", help: "make no pods: leave out what can be seen from within the cluster alone" },
      { name: "properties-file", value: "FILE", help: "as submit takes it" },
      outputOption(REPORT_FORMATS),
      ...REACH_OPTIONS.map((option) =>
        option.name === "conf"
          ? { ...option, help: "as submit takes it, such as spark.kubernetes.container.image" }
          : option,
      ),
      VERBOSE_OPTION,
      HELP_OPTION,
    ],
    examples: [
      "kindling doctor",
      "kindling doctor -n spark -c spark.kubernetes.container.image=apache/spark:4.3.0",
      "kindling doctor --no-pod -o json",
    ],
    load: async () => (await import("./doctor-command.ts")).doctorCommand,
  },
  {
    name: "rbac",
    summary: "print the role that submitters need, or drivers without the gateway",
    operands: { shown: "submitter|driver", most: 1 },
    options: [
      {
        name: "namespace",
        short: "n",
        value: "NAME",
        help: "the namespace that the role is for; default: the context's",
      },
      { name: "user", value: "NAME", help: "who gets it: a user" },
      { name: "group", value: "NAME", help: "or a group" },
      {
        name: "serviceaccount",
        value: "[NAMESPACE:]NAME",
        help: "or a service account, which kubectl create serviceaccount makes",
      },
      outputOption(OBJECT_FORMATS),
      HELP_OPTION,
    ],
    examples: [
      "kindling rbac submitter -n spark --user jane | kubectl apply -f -",
      "kindling rbac driver -n spark --serviceaccount spark | kubectl apply -f -",
    ],
    load: async () => (await import("./rbac-command.ts")).rbacCommand,
  },
  {
    name: "completion",
    summary: "print a shell's completion script",
    operands: { shown: "bash|zsh|fish", most: 1 },
    options: [HELP_OPTION],
    examples: [
      "source <(kindling completion bash)",
      'kindling completion zsh > "${fpath[1]}/_kindling"',
      "kindling completion fish > ~/.config/fish/completions/kindling.fish",
    ],
    load: async () => (await import("./completion-command.ts")).completionOf(KINDLING),
  },
];

export const KINDLING: Program = {
  name: "kindling",
  about: "Apache Spark on Kubernetes, without a JVM in the way.",
  takesApplication: "submit",
  commands: [
    {
      name: "submit",
      alsoCalled: ["run"],
      summary: "submit an application: takes spark-submit's own arguments",
      load: async () => (await import("./submit-command.ts")).submitCommand,
    },
    {
      name: "explain",
      summary: "show an application's objects, with the step that sets each field",
      load: async () => (await import("./explain-command.ts")).explainCommand,
    },
    ...DECLARED_COMMANDS,
    {
      name: "app",
      alsoCalled: ["apps", "sparkctl", "sparkapp", "sparkapplication", "sparkapplications"],
      summary: "look after the objects of the operator: SparkApplication and ScheduledSparkApplication",
      load: async () => (await import("./app/index.ts")).appCommand,
    },
    {
      name: "connect",
      summary: "connect to Spark Connect, and look after the drivers of its sessions",
      load: async () => (await import("./connect/index.ts")).connectCommand,
    },
    {
      name: "complete",
      summary: "print names for a command line, for shells",
      // For the output of `kindling completion`.
      hidden: true,
      operands: { shown: "KIND -- WORDS" },
      options: [],
      examples: [],
      load: async () => (await import("./complete-command.ts")).completeCommand,
    },
    {
      name: "spark-submit",
      summary: "do what spark-submit does, for programs that run one of that name",
      // The package @kindling/spark-submit runs it.
      hidden: true,
      load: async () => {
        const { sparkSubmitCommand } = await import("./spark-submit/spark-submit-command.ts");
        return (argv: readonly string[], context: CommandContext) =>
          sparkSubmitCommand(argv, context, process.argv[1] ?? "");
      },
    },
  ],
  options: [["--version", "the version, and the Spark versions it knows"]],
  examples: SUBMIT_EXAMPLES,
  exitCodes: exitCodeRows(),
};
