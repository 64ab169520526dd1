import { accessSync, constants, realpathSync } from "node:fs";
import type { AddressInfo, Server } from "node:net";
import { KindlingError } from "@kindling/core-spec";
import type { Clock, Random } from "@kindling/outside";
import { Executors, type Root } from "../blocks/executors.ts";
import { Connection } from "../connection/connection.ts";
import { answerExecutorProbe } from "./executor-probe.ts";
import { ExecutorRecord } from "./executor-record.ts";
import { Keeper } from "./keeper.ts";
import { hasServedFiles } from "./left-files.ts";
import { Refusals } from "../connection/refusals.ts";
import { createService, type Service } from "../connection/service.ts";
import { openDoor } from "./open-door.ts";
import { VARIABLES, type Settings } from "./settings.ts";

export interface ServeOptions extends Settings {
  readonly clock: Clock;
  readonly random: Pick<Random, "fraction">;
  /** Writes a line of the log. */
  readonly write: (line: string) => void;
  /** The executor has ended, and none of its files is left. */
  readonly onEmpty: () => void;
}

/** A server that runs. */
export interface ShuffleServer {
  readonly port: number;
  /** Where it is asked whether the executor may go on. */
  readonly statusPort: number | undefined;
  /** Ends after the open answers, or after this time. */
  stop(withinMs: number): Promise<void>;
}

/** A client has one connection; a large application has a thousand executors. */
const MOST_CONNECTIONS = 2_048;
const TICK_MS = 1_000;
/** Files may also be removed by others than this server. */
const TICKS_BETWEEN_LOOKS = 30;
const BACKLOG = 1_024;

/**
 * Serves the shuffle files of executors in local directories over Spark's protocol.
 *
 * Counterpart of `org.apache.spark.deploy.ExternalShuffleService` (Spark 3.5.9 and 4.3.0).
 *
 * @throws KindlingError if the port is taken, or a directory cannot be read
 */
export async function serveShuffle(options: ServeOptions): Promise<ShuffleServer> {
  const { clock, write, labelsFile, localDirs } = options;
  const now = () => clock.monotonic();
  const roots = localDirs.map(rootOf);
  const canonical = roots.map((root) => root.canonical);
  let servesRdds = options.servesRdds;
  const keeper =
    labelsFile === undefined
      ? undefined
      : new Keeper({
          labelsFile,
          hasFiles: () => hasServedFiles(canonical, servesRdds),
          onEmpty: options.onEmpty,
        });
  const executors = new Executors(roots);
  const record = new ExecutorRecord(canonical, executors);
  await record.read();
  const service = createService({
    application: options.application,
    secret: options.secret,
    executors,
    now,
    fraction: () => options.random.fraction(),
    refusals: new Refusals(now, write),
    registered: () => record.write(),
    blocksRemoved: () => void keeper?.look(),
    rddBlocksUsed: () => (servesRdds = true),
  });
  const connections = new Set<Connection>();
  const server = await openDoor(options.tls, service.refusals, (socket) => {
    if (connections.size >= MOST_CONNECTIONS) makeRoom(connections, service);
    const connection = new Connection(socket, service);
    connections.add(connection);
    socket.on("close", () => connections.delete(connection));
  });
  const port = await listen(server, options.port);
  const { statusPort } = options;
  const probe =
    statusPort === undefined
      ? undefined
      : await answerExecutorProbe(statusPort, async () => (await keeper?.mustExecutorEnd()) ?? false);
  write(`serves ${localDirs.join(", ")} on port ${port}`);
  let ticks = 0;
  const cancel = everyTick(clock, () => {
    service.files.closeUnused();
    service.pool.makeRoom();
    void keeper?.readLabels();
    if (++ticks % TICKS_BETWEEN_LOOKS === 0) void keeper?.look();
  });
  void keeper?.readLabels();
  return {
    port,
    statusPort: probe?.port,
    async stop(withinMs) {
      cancel();
      probe?.stop();
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const connection of connections) connection.end();
      const giveUp = clock.after(withinMs, () => {
        for (const connection of connections) connection.close();
      });
      await closed;
      giveUp();
      service.files.closeAll();
    },
  };
}

/** @throws KindlingError `CONF_INVALID` */
function rootOf(path: string): Root {
  try {
    const real = realpathSync(path);
    accessSync(real, constants.R_OK | constants.X_OK);
    return { path, canonical: real };
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "unknown";
    throw new KindlingError(
      "CONF_INVALID",
      `the environment's ${VARIABLES.localDirs} names ${path}, which cannot be read (${code})`,
      { hint: "mount the executor's local directories at the same paths into this container", cause: error },
    );
  }
}

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", (error) =>
      reject(
        new KindlingError("CONF_INVALID", `port ${port} cannot be opened: ${error.message}`, {
          hint: `set ${VARIABLES.port} to a free port, and spark.shuffle.service.port to the same`,
          cause: error,
        }),
      ),
    );
    server.listen({ port, backlog: BACKLOG }, () => resolve((server.address() as AddressInfo).port));
  });
}

/** Closes a connection that waits for nothing: the one that was opened first. If there is none, the first of all. */
function makeRoom(connections: ReadonlySet<Connection>, service: Service): void {
  service.refusals.note("overload", undefined, `${connections.size} connections are open: one is closed for a new one`);
  let victim: Connection | undefined;
  for (const connection of connections) {
    victim ??= connection;
    if (connection.isBusy) continue;
    victim = connection;
    break;
  }
  victim?.close();
}

function everyTick(clock: Clock, call: () => void): () => void {
  let cancel = clock.after(TICK_MS, tick);
  function tick(): void {
    cancel = clock.after(TICK_MS, tick);
    call();
  }
  return () => cancel();
}
