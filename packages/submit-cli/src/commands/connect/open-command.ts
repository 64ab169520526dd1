import {
  type CommandContext,
  type CommandLine,
  formatObject,
  formatOf,
  type GivenProgram,
  paint,
  programBehindDashes,
  runInterruptible,
} from "@kindling/command-line";
import { KindlingError, quotedName } from "@kindling/core-spec";
import { clusterError } from "@kindling/submit";
import { CONNECTION_FORMATS } from "../output-formats.ts";
import { untilAborted } from "../ui/show-ui.ts";
import { type ConnectAddress, formatConnectAddress, withParameters } from "./connect-address.ts";
import { connectToken } from "./connect-token.ts";
import { type Connection, connectionDocument, secretsOf, shellText, variablesOf, withWishes } from "./connection.ts";
import { type ClusterOnDemand, clusterOnDemand, findConnect } from "./find-connect.ts";
import { forwardConnect } from "./forward-connect.ts";
import { serviceNameIn } from "./service-behind.ts";
import { trustedRoots } from "./trusted-roots.ts";

/** `kindling connect`: prints what a client of Spark Connect needs, or runs a command with it. */
export async function openCommand(line: CommandLine, context: CommandContext): Promise<number> {
  const format = formatOf(line, CONNECTION_FORMATS);
  const program = programBehindDashes(line, "kindling connect");
  const cluster = clusterOnDemand(line, context);
  try {
    const connection = await openConnection(line, cluster, context);
    try {
      if (program !== undefined) return await runWith(connection, program, context);
      await print(connection, format, context);
      if (!line.has("forward")) return 0;
      context.output.err("It is open until Ctrl-C ends this.\n");
      await untilAborted(context.signal);
      return 0;
    } finally {
      connection.close();
    }
  } catch (error) {
    throw clusterError(error);
  } finally {
    cluster.close();
  }
}

interface OpenConnection extends Connection {
  close(): void;
}

async function openConnection(
  line: CommandLine,
  cluster: ClusterOnDemand,
  context: CommandContext,
): Promise<OpenConnection> {
  const { address: found, conf, ca } = await findConnect(line, cluster, context);
  for (const secret of secretsOf(found)) context.secrets.hide(secret);
  const wishes = { profile: wordOf(line, "profile"), queue: wordOf(line, "queue") };
  // Certificates are named for TLS alone.
  const tls = line.has("ca-file") && found.parameters["use_ssl"] === undefined ? { use_ssl: "true" } : {};
  const address = withWishes(withParameters(found, tls), wishes);
  const trusted = await trustedRoots(line.value("ca-file"), ca, context);
  const token = await connectToken(line, conf, cluster, context);
  if (!line.has("forward")) {
    tellOfInside(address, context);
    return { address, token, roots: await trusted.file(), close: () => undefined };
  }
  const forwarded = await forwardConnect(await cluster.client(), { line, address, pem: trusted.pem }, context);
  return { address: forwarded.address, token, roots: undefined, close: () => forwarded.close() };
}

/** @throws KindlingError for a word that is no name: clients would send it as a header */
function wordOf(line: CommandLine, option: "profile" | "queue"): string | undefined {
  const word = line.value(option);
  if (word === undefined || /^[\w.-]{1,253}$/.test(word)) return word;
  throw new KindlingError("ARGUMENT_INVALID", `--${option} ${quotedName(word)}: no ${option} has this name`);
}

/** Names of services are known inside of the cluster only. */
function tellOfInside(address: ConnectAddress, { outside: { env }, output }: CommandContext): void {
  if (env["KUBERNETES_SERVICE_HOST"] !== undefined || serviceNameIn(address) === undefined) return;
  output.err(`${paint(output, "yellow", "note:")} ${address.host} is reached from inside of the cluster only\n`);
  output.err(`${paint(output, "dim", "hint:")} --forward opens a way to it through the API server\n`);
}

async function print(
  connection: Connection,
  format: (typeof CONNECTION_FORMATS)[number],
  context: CommandContext,
): Promise<void> {
  const { output } = context;
  // The token is the result that was asked for; everywhere else it is left out.
  if (format !== "shell") {
    output.exact(await formatObject(connectionDocument(connection), format));
    return;
  }
  output.exact(shellText(variablesOf(connection)));
  tellWho(connection, context);
}

function tellWho({ address, token }: Connection, { output }: CommandContext): void {
  const shown = formatConnectAddress(withParameters({ ...address, parameters: {} }, wishesIn(address)));
  const user = token?.owner === undefined ? "" : ` as ${token.owner}`;
  const end = token?.expires === undefined ? "" : `, until ${token.expires}`;
  output.err(`Spark Connect at ${shown}${user}${end}\n`);
  output.err(`${paint(output, "dim", "hint:")} ${HINT}\n`);
}

const HINT =
  'eval "$(kindling connect …)" sets it for pyspark, python and all that they start; kindling connect … -- pyspark sets it for one command';

function wishesIn({ parameters }: ConnectAddress): Readonly<Record<string, string | undefined>> {
  return { "x-profile": parameters["x-profile"], "x-queue": parameters["x-queue"] };
}

/** The token is in the environment: other users of a machine see arguments, but not that. */
async function runWith(
  connection: Connection,
  { program, args }: GivenProgram,
  { outside: { env }, signal }: CommandContext,
): Promise<number> {
  return await runInterruptible(program, args, { env: { ...env, ...variablesOf(connection) }, signal });
}
