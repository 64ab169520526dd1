import { HELP_OPTION, outputOption, type Program, VERBOSE_OPTION } from "@kindling/command-line";
import { CLUSTER_OPTIONS, STATE_OPTION } from "../args/cluster-options.ts";
import { CONNECT_OPTIONS } from "../args/connect-options.ts";
import { STATUS_FORMATS } from "../args/status-formats.ts";

/** The commands of `kindling dev`. Commands that only show an instance do not load the code that starts one. */
export const DEV: Program = {
  name: "kindling dev",
  about:
    "A Kubernetes on this machine, for development: Spark's drivers and executors run as local processes.\n" +
    "It needs Linux, Java 17 (8 for Spark 3.5), python3 for Python applications, and a Spark, which it can fetch.",
  takesApplication: "run",
  commands: [
    {
      name: "up",
      alsoCalled: ["start"],
      summary: "start a cluster and a staging server on this machine",
      options: [
        ...CLUSTER_OPTIONS,
        { name: "foreground", short: "f", help: "run in this terminal until Ctrl-C" },
        VERBOSE_OPTION,
        HELP_OPTION,
      ],
      examples: [
        "kindling dev up",
        "kindling dev up --spark-home ~/spark-4.3.0 --nodes 3",
        "kindling dev up --gateway",
        "kindling dev up --operator",
        "kindling dev up --foreground",
      ],
      load: async () => (await import("./up-command.ts")).upCommand,
    },
    {
      name: "status",
      summary: "tell whether it runs, and where",
      options: [STATE_OPTION, outputOption(STATUS_FORMATS), VERBOSE_OPTION, HELP_OPTION],
      examples: ["kindling dev status", "kindling dev status -o json"],
      load: async () => (await import("./status-command.ts")).statusCommand,
    },
    {
      name: "env",
      summary: 'print what a shell has to set to use it, for eval "$(kindling dev env)"',
      options: [
        STATE_OPTION,
        {
          name: "shell",
          value: "SHELL",
          help: "bash, zsh, sh, fish, csh or tcsh; default: the shell that runs this command",
        },
        { name: "unset", short: "u", help: "print the commands that unset these variables" },
        VERBOSE_OPTION,
        HELP_OPTION,
      ],
      examples: [
        'eval "$(kindling dev env)"',
        'eval "$(kindling dev env --unset)"',
        "kindling dev env --shell fish | source",
      ],
      load: async () => (await import("./env-command.ts")).envCommand,
    },
    {
      name: "down",
      alsoCalled: ["stop"],
      summary: "end it, with all that runs in it",
      options: [STATE_OPTION, VERBOSE_OPTION, HELP_OPTION],
      examples: ["kindling dev down"],
      load: async () => (await import("./down-command.ts")).downCommand,
    },
    {
      name: "run",
      alsoCalled: ["submit"],
      unknownOptionHint: "options of kindling submit go after --, as in kindling dev run app.py -- --files data.csv",
      summary: "start it, submit an application, show its log to its end, and end it",
      operands: { shown: "[APPLICATION [arguments]] [-- <arguments of kindling submit>]" },
      options: [...CLUSTER_OPTIONS, VERBOSE_OPTION, HELP_OPTION],
      examples: [
        "kindling dev run words.py",
        "kindling dev run words.py text.txt -- --num-executors 2 --files text.txt",
      ],
      load: async () => (await import("./run-command.ts")).runCommand,
    },
    {
      name: "watch",
      unknownOptionHint: "options of kindling submit go after --, as in kindling dev watch app.py -- --files data.csv",
      summary: "submit an application, and again whenever one of its files changes",
      operands: { shown: "[APPLICATION [arguments]] [-- <arguments of kindling submit>]" },
      options: [...CLUSTER_OPTIONS, VERBOSE_OPTION, HELP_OPTION],
      examples: [
        "kindling dev watch words.py",
        "kindling dev watch words.py text.txt -- --num-executors 2 --files text.txt",
        "kindling dev watch -- --num-executors 2 --files text.txt words.py text.txt",
      ],
      load: async () => (await import("./watch-command.ts")).watchCommand,
    },
    {
      name: "connect",
      unknownOptionHint: "a command to run goes after --, as in kindling dev connect -- python app.py",
      summary: "serve Spark Connect on this machine until Ctrl-C, or run a command with it",
      operands: { shown: "[-- COMMAND…]" },
      options: [...CONNECT_OPTIONS, VERBOSE_OPTION, HELP_OPTION],
      examples: [
        "kindling dev connect",
        "kindling dev connect -- python app.py",
        "kindling dev connect --conf spark.executor.memory=4g -- jupyter lab",
      ],
      load: async () => (await import("./connect-command.ts")).connectCommand,
    },
  ],
  examples: ["kindling dev up", "kindling dev run words.py text.txt -- --num-executors 2 --files text.txt"],
};
