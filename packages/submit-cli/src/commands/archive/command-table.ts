import { type DeclaredCommand, HELP_OPTION, type Option, outputOption, VERBOSE_OPTION } from "@kindling/command-line";
import { COST_FORMATS, LIST_FORMATS, REPORT_FORMATS } from "../output-formats.ts";
import { REACH_OPTIONS } from "../reach-options.ts";

/** The options that choose runs. */
const CHOICE: readonly Option[] = [
  { name: "all-namespaces", short: "A", help: "those of all namespaces; for administrators" },
  { name: "name", value: "NAME", help: "only those with this name, id or driver pod; * stands for any characters" },
  { name: "state", value: "STATE", help: "only those that succeeded, failed, or were lost: nobody saw their end" },
  { name: "queue", value: "QUEUE", help: "only those of this queue" },
  { name: "selector", short: "l", value: "LABELS", help: "only those whose driver pod had these labels" },
  { name: "since", value: "WHEN", help: "only those that ended later: 7d ago, or a time such as 2026-11-21" },
  { name: "until", value: "WHEN", help: "only those that ended before that" },
];

/** The commands that read what a recorder keeps. */
export const ARCHIVE_COMMANDS: readonly DeclaredCommand[] = [
  {
    name: "history",
    summary: "list applications that have ended, as a recorder keeps them",
    options: [
      ...CHOICE,
      { name: "limit", value: "COUNT", help: "how many to show; default: 50" },
      outputOption(LIST_FORMATS),
      ...REACH_OPTIONS,
      VERBOSE_OPTION,
      HELP_OPTION,
    ],
    examples: [
      "kindling history",
      "kindling history --state failed --since 7d",
      "kindling history -A --queue etl -o json",
    ],
    load: async () => (await import("./history-command.ts")).historyCommand,
  },
  {
    name: "ui",
    summary: "open Spark's web UI of an application that runs, or has ended",
    operands: { shown: "NAME" },
    options: [
      { name: "port", value: "PORT", help: "the port of this machine; default: 4040, or a free one if that is taken" },
      {
        name: "download",
        value: "FOLDER",
        help: "bring the event log of one that has ended into this folder instead, for a history server of your own",
      },
      { name: "memory", value: "SIZE", help: "the heap of Spark's history server for one that has ended; default: 1g" },
      ...REACH_OPTIONS,
      VERBOSE_OPTION,
      HELP_OPTION,
    ],
    examples: ["kindling ui etl", "kindling ui --port 18080 etl~1", "kindling ui --download event-logs etl"],
    load: async () => (await import("../ui/ui-command.ts")).uiCommand,
  },
  {
    name: "history-server",
    summary: "open the Spark history server that the chart runs over what is kept",
    options: [
      { name: "port", value: "PORT", help: "the port of this machine; default: 18080, or a free one if that is taken" },
      ...REACH_OPTIONS,
      VERBOSE_OPTION,
      HELP_OPTION,
    ],
    examples: ["kindling history-server", "kindling history-server --port 9000"],
    load: async () => (await import("../ui/history-server-command.ts")).historyServerCommand,
  },
  {
    name: "diff",
    summary: "compare two runs that a recorder keeps",
    operands: { shown: "RUN [RUN]", most: 2 },
    options: [outputOption(REPORT_FORMATS), ...REACH_OPTIONS, VERBOSE_OPTION, HELP_OPTION],
    examples: ["kindling diff daily", "kindling diff daily~7 daily", "kindling diff -o json spark:etl-8d3f-driver etl"],
    load: async () => (await import("./diff-command.ts")).diffCommand,
  },
  {
    name: "cost",
    summary: "show what ended applications have reserved, and what that costs",
    options: [
      { name: "by", value: "WHAT", help: "queue (default), namespace, name, or label:KEY" },
      {
        name: "prices",
        value: "FILE",
        help: "what an hour of a core and of a GiB costs, by the type of node, as YAML",
      },
      ...CHOICE,
      outputOption(COST_FORMATS),
      ...REACH_OPTIONS,
      VERBOSE_OPTION,
      HELP_OPTION,
    ],
    examples: [
      "kindling cost --since 30d",
      "kindling cost -A --by label:team --since 30d --prices prices.yaml",
      "kindling cost --by name -o csv",
    ],
    load: async () => (await import("./cost-command.ts")).costCommand,
  },
  {
    name: "mcp",
    summary: "answer the questions of an assistant, over the Model Context Protocol",
    options: [...REACH_OPTIONS, VERBOSE_OPTION, HELP_OPTION],
    examples: ["kindling mcp", "npx @modelcontextprotocol/inspector kindling mcp -n spark"],
    load: async () => (await import("./mcp-command.ts")).mcpCommand,
  },
];
