import {
  type CommandContext,
  type CommandLine,
  type GivenProgram,
  printNotice,
  programBehindDashes,
  runInterruptible,
} from "@kindling/command-line";
import { EXIT_CODES, KindlingError, SPARK_CONNECT_PORT } from "@kindling/core-spec";
import { sleep } from "@kindling/outside";
import { clusterOptions } from "../args/cluster-options.ts";
import { connectConf, connectPort } from "../args/connect-options.ts";
import { requireConnectServer } from "../connect/require-connect-server.ts";
import { faultOf, requireFreePort } from "../connect/require-free-port.ts";
import { isAlive } from "../control/is-alive.ts";
import type { InstanceStatus } from "../control/instance-status.ts";
import { statePaths, type StatePaths } from "../state/state-paths.ts";
import { withInstance } from "./with-instance.ts";

const LOOK_MS = 500;

/**
 * `kindling dev connect`: Spark Connect on this machine, until Ctrl-C or as long as a program runs, whose exit code is then that
 * of the command. If an instance runs already, it is used and left running.
 */
export async function connectCommand(line: CommandLine, context: CommandContext): Promise<number> {
  const program = programBehindDashes(line, "kindling dev connect");
  const given = connectPort(line);
  const conf = connectConf(line);
  // `port` is that of Spark Connect here; the API server takes any free one.
  const options = { ...clusterOptions(line, context.outside), port: 0 };
  const port = await portToTake(given, program, context);
  const paths = statePaths(options.stateFolder);
  return await withInstance(options, context, {
    check: (spark, isUp) => requireConnectServer(spark, { wanted: options.spark, isUp }),
    use: (instance) => serve(instance, { port, conf, program, paths }, context),
  });
}

/** A program is told the address, so it may be any. @throws KindlingError `ARGUMENT_INVALID` */
async function portToTake(
  given: number | undefined,
  program: GivenProgram | undefined,
  { output }: CommandContext,
): Promise<number> {
  const port = given ?? SPARK_CONNECT_PORT;
  if (given !== undefined || program === undefined) {
    await requireFreePort(port);
    return port;
  }
  if ((await faultOf(port)) === undefined) return port;
  printNotice(`port ${port} is taken; the command finds another one in SPARK_REMOTE`, output);
  return 0;
}

interface Serving {
  readonly port: number;
  readonly conf: Readonly<Record<string, string>>;
  readonly program: GivenProgram | undefined;
  readonly paths: StatePaths;
}

async function serve(
  instance: InstanceStatus,
  { port, conf, program, paths }: Serving,
  context: CommandContext,
): Promise<number> {
  const { outside, output, signal } = context;
  // The service takes longer to load than all other commands to run.
  const { startDevConnect } = await import("../connect/start-connect.ts");
  const connect = await startDevConnect({ instance, paths, port, conf, outside });
  const remote = `sc://localhost:${connect.port}`;
  try {
    if (signal.aborted) return EXIT_CODES.interrupted.code;
    if (program !== undefined) {
      const env = { ...outside.env, SPARK_REMOTE: remote };
      return await runInterruptible(program.program, program.args, { env, signal });
    }
    output.out(howToUse(remote, instance));
    output.err("Ctrl-C ends it.\n");
    await untilEnded(instance, context);
    return 0;
  } finally {
    await connect.stop();
  }
}

/** @throws KindlingError `CLUSTER_UNREACHABLE` if the instance ends before the user ends the command */
async function untilEnded({ pid, log }: InstanceStatus, { outside, signal }: CommandContext): Promise<void> {
  while (!signal.aborted) {
    if (!isAlive(pid)) {
      throw new KindlingError("CLUSTER_UNREACHABLE", "the cluster has ended, and Spark Connect with it", {
        hint: `kindling dev connect starts both again; if nobody has ended it, see ${log}`,
      });
    }
    await sleep(outside.clock, LOOK_MS, signal);
  }
}

function howToUse(remote: string, { spark: { version } }: InstanceStatus): string {
  // A client must not be newer than the server; a vendor's version is none of PyPI.
  const [client = version] = /^\d+(?:\.\d+)*/.exec(version) ?? [];
  return `Spark Connect is at ${remote}, on Spark ${version}. Its driver starts with the first query.

  pip install pyspark-client==${client}
  export SPARK_REMOTE=${remote}
  python -c 'from pyspark.sql import SparkSession; print(SparkSession.builder.getOrCreate().range(1000).count())'
`;
}
