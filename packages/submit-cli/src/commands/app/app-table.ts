import { HELP_OPTION, outputOption, VERBOSE_OPTION, type Option, type Program } from "@kindling/command-line";
import { CREATE_FORMATS, LIST_FORMATS, REPORT_FORMATS, STATUS_FORMATS } from "../output-formats.ts";
import { REACH_OPTIONS } from "../reach-options.ts";
import { APPLICATION_STATES } from "@kindling/spark-application";
import { NEW } from "./application-view.ts";

const COMMON: readonly Option[] = [...REACH_OPTIONS, VERBOSE_OPTION, HELP_OPTION];
const SCHEDULED: Option = { name: "scheduled", help: "a ScheduledSparkApplication instead" };
const WAIT: Option = {
  name: "wait",
  help: "follow it to its end; the exit code is then the driver's, as with submit",
};

/** The commands for objects that the operator manages, in the order of the help. */
export const APP: Program = {
  name: "kindling app",
  about:
    "The operator's objects: SparkApplication and ScheduledSparkApplication. Other commands of kindling are about driver pods.",
  commands: [
    {
      name: "create",
      summary: "create the objects of files, or run a schedule's application now",
      operands: { shown: "FILE|FOLDER…|-" },
      options: [
        { name: "name", value: "NAME", help: "what the object is called, instead of its name in the file" },
        { name: "from", value: "SCHEDULE", help: "no file: a run of this ScheduledSparkApplication, now" },
        WAIT,
        outputOption(CREATE_FORMATS),
        ...COMMON,
      ],
      examples: [
        "kindling app create pi.yaml --wait",
        "kindling app create -n spark etl.yaml nightly.yaml",
        "kindling app create --from nightly --name nightly-by-hand",
      ],
      load: async () => (await import("./create-command.ts")).createCommand,
    },
    {
      name: "list",
      summary: "list objects, with kubectl's columns",
      options: [
        SCHEDULED,
        { name: "all-namespaces", short: "A", help: "objects of all namespaces" },
        {
          name: "state",
          value: "STATES",
          choices: APPLICATION_STATES.map((state) => state || NEW),
          help: "only those in one of these states, such as RUNNING,FAILED",
        },
        { name: "selector", short: "l", value: "LABELS", help: "only those that have these labels" },
        { name: "watch", short: "w", help: "show them again whenever they change" },
        outputOption(LIST_FORMATS),
        ...COMMON,
      ],
      examples: ["kindling app list", "kindling app list -A --state FAILED", "kindling app list --scheduled -o json"],
      load: async () => (await import("./list-command.ts")).listCommand,
    },
    {
      name: "status",
      summary: "show how objects are, and why",
      operands: { shown: "NAME…" },
      options: [
        SCHEDULED,
        { name: "watch", short: "w", help: "show it again whenever it changes, until it ends" },
        outputOption(STATUS_FORMATS),
        ...COMMON,
      ],
      examples: [
        "kindling app status pi",
        "kindling app status -w spark:etl",
        "kindling app status --scheduled nightly",
        "kindling app status -o json 'etl-*'",
      ],
      load: async () => (await import("./status-command.ts")).statusCommand,
    },
    {
      name: "logs",
      summary: "show the log of an application's driver, or of an executor",
      operands: { shown: "NAME" },
      options: [
        { name: "follow", short: "f", help: "go on until the application ends, with the logs of drivers to come" },
        { name: "executor", short: "e", value: "ID", help: "the log of this executor instead of the driver's" },
        { name: "container", value: "NAME", help: "another container than the one that runs Spark" },
        { name: "tail", value: "LINES", help: "only the last lines" },
        { name: "since", value: "DURATION", help: "only what is newer than this, such as 5m" },
        { name: "timestamps", help: "with the time before each line" },
        ...COMMON,
      ],
      examples: ["kindling app logs -f pi", "kindling app logs --executor 1 spark:etl"],
      load: async () => (await import("./logs-command.ts")).logsCommand,
    },
    {
      name: "events",
      summary: "show what the operator has recorded about an object",
      operands: { shown: "NAME" },
      options: [
        SCHEDULED,
        { name: "follow", short: "f", help: "go on until the application ends" },
        outputOption(REPORT_FORMATS),
        ...COMMON,
      ],
      examples: ["kindling app events pi", "kindling app events -f pi"],
      load: async () => (await import("./events-command.ts")).eventsCommand,
    },
    {
      name: "rerun",
      summary: "let an application run again, by an annotation on its driver",
      operands: { shown: "NAME" },
      options: [{ name: "yes", short: "y", help: "do not ask, also where it runs: that run ends" }, WAIT, ...COMMON],
      examples: ["kindling app rerun pi", "kindling app rerun --yes --wait spark:etl"],
      load: async () => (await import("./rerun-command.ts")).rerunCommand,
    },
    {
      name: "suspend",
      summary: "end applications and keep them, or let schedules start no more runs",
      operands: { shown: "NAME…" },
      options: [SCHEDULED, ...COMMON],
      examples: ["kindling app suspend pi", "kindling app suspend --scheduled nightly"],
      load: async () => (await import("./suspend-command.ts")).suspendCommand,
    },
    {
      name: "resume",
      summary: "let suspended applications run, from their beginning, or schedules go on",
      operands: { shown: "NAME…" },
      options: [SCHEDULED, ...COMMON],
      examples: ["kindling app resume pi", "kindling app resume --scheduled nightly"],
      load: async () => (await import("./suspend-command.ts")).resumeCommand,
    },
    {
      name: "delete",
      summary: "delete objects, and with them what runs",
      operands: { shown: "NAME…" },
      options: [SCHEDULED, ...COMMON],
      examples: [
        "kindling app delete pi",
        "kindling app delete 'spark:etl-*'",
        "kindling app delete --scheduled nightly",
      ],
      load: async () => (await import("./delete-command.ts")).deleteCommand,
    },
  ],
  examples: ["kindling app create pi.yaml --wait", "kindling app list -A", "kindling app logs -f pi"],
};
