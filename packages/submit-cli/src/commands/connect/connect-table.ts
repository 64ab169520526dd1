import {
  commandHelp,
  type DeclaredCommand,
  HELP_OPTION,
  type Option,
  outputOption,
  type Palette,
  type Program,
  section,
  shownCommands,
  VERBOSE_OPTION,
} from "@kindling/command-line";
import { CONNECT_DRIVER_FORMATS, CONNECTION_FORMATS } from "../output-formats.ts";
import { REACH_OPTIONS } from "../reach-options.ts";

const COMMON: readonly Option[] = [...REACH_OPTIONS, VERBOSE_OPTION, HELP_OPTION];
const ALL_NAMESPACES: Option = { name: "all-namespaces", short: "A", help: "drivers of all namespaces" };

/** What `kindling connect` does without a command of its own. */
export const OPEN: DeclaredCommand = {
  name: "connect",
  summary: "print what Spark's clients need to reach Spark Connect, or run a command with it",
  operands: { shown: "[-- COMMAND…]" },
  options: [
    {
      name: "address",
      value: "URI",
      help: "sc://HOST:PORT of kindling-connect; default: KINDLING_CONNECT_URI, spark.kindling.connect.uri, else the installation's",
    },
    {
      name: "profile",
      value: "NAME",
      help: "the profile of the sessions; default: the one that kindling-connect chooses",
    },
    { name: "queue", value: "NAME", help: "the queue of the driver, of those that the profile allows" },
    {
      name: "as-account",
      value: "NAME",
      help: "connect as this service account of the namespace: a token of it is made; default: spark.kindling.connect.serviceAccount",
    },
    { name: "duration", value: "DURATION", help: "how long that token is accepted; default: 8h" },
    { name: "token-file", value: "FILE", help: "or connect with the token in this file" },
    {
      name: "ca-file",
      value: "FILE",
      help: "certificates that the server's must be signed by; default: the installation's",
    },
    { name: "forward", help: "reach the service through the API server, until the command ends" },
    {
      name: "port",
      value: "PORT",
      help: "with --forward: the port of this machine; default: 15002, or a free one if that is taken",
    },
    outputOption(CONNECTION_FORMATS, "shell (default), json or yaml; the latter hold the token, too"),
    ...COMMON,
  ],
  examples: [
    'eval "$(kindling connect --as-account alice --profile small)"; pyspark',
    "kindling connect --as-account alice -- python app.py",
    "kindling connect --forward --as-account alice -- jupyter lab",
    "kindling connect --address 'sc://connect.example:443/;use_ssl=true' --token-file token -o json",
  ],
  load: async () => (await import("./open-command.ts")).openCommand,
};

/** The commands of `kindling connect` for the drivers of its sessions. */
export const CONNECT: Program = {
  name: "kindling connect",
  about: "Spark Connect for many users, by kindling-connect.",
  commands: [
    {
      name: "ls",
      alsoCalled: ["list", "ps", "get"],
      summary: "list the drivers of sessions, and those that wait for one",
      options: [
        ALL_NAMESPACES,
        { name: "profile", value: "NAME", help: "only those of this profile" },
        { name: "user", value: "NAME", help: "only those of this user" },
        { name: "watch", short: "w", help: "show them again whenever they change" },
        outputOption(CONNECT_DRIVER_FORMATS),
        ...COMMON,
      ],
      examples: [
        "kindling connect ls",
        "kindling connect ls -A -o wide",
        "kindling connect ls --profile small -o json",
      ],
      load: async () => (await import("./ls-command.ts")).lsCommand,
    },
    {
      name: "stop",
      alsoCalled: ["kill", "delete", "rm", "end"],
      summary: "end drivers of sessions; what their users have in them is lost",
      operands: { shown: "[NAME…]" },
      options: [
        { name: "profile", value: "NAME", help: "all of this profile" },
        { name: "user", value: "NAME", help: "all of this user" },
        ALL_NAMESPACES,
        { name: "yes", short: "y", help: "do not ask before more than one is ended" },
        ...COMMON,
      ],
      examples: [
        "kindling connect stop connect-small-1f2e3d4c",
        "kindling connect stop --user system:serviceaccount:spark:alice",
        "kindling connect stop --profile small --yes",
      ],
      load: async () => (await import("./stop-command.ts")).stopCommand,
    },
    {
      name: "logs",
      summary: "show the log of such a driver",
      operands: { shown: "NAME" },
      options: [
        { name: "follow", short: "f", help: "go on until the container ends" },
        { name: "executor", short: "e", value: "ID", help: "the log of this executor instead of the driver's" },
        { name: "tail", value: "LINES", help: "only the last lines" },
        { name: "since", value: "DURATION", help: "only what is newer than this, such as 5m" },
        { name: "timestamps", help: "with the time before each line" },
        ...COMMON,
      ],
      examples: ["kindling connect logs -f connect-small-1f2e3d4c"],
      load: async () => (await import("./logs-command.ts")).logsOfDriver,
    },
  ],
  examples: ["kindling connect ls"],
};

/** The help of `kindling connect`, which names its commands, too. */
export function connectHelp(palette: Palette): string {
  const rows = shownCommands(CONNECT).map(({ name, summary }) => [name, summary] as const);
  return `${commandHelp(OPEN, CONNECT.name, palette)}\n${section(palette, "Commands", rows)}`;
}
