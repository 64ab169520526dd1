import { systemClock, systemRandom } from "@kindling/outside";
import { serveShuffle, type ServeOptions, type ShuffleServer } from "../../src/index.ts";
import { APPLICATION, Client } from "./client.ts";
import { ShuffleFiles, SUB_DIRS } from "./shuffle-files.ts";

/** A running server over its own files, with what it wrote to its log. */
export interface Running extends AsyncDisposable {
  readonly server: ShuffleServer;
  readonly files: ShuffleFiles;
  readonly log: string[];
  client(): Promise<Client>;
  /** A client, after executor 1 was registered with all local directories. */
  registered(): Promise<Client>;
}

export async function start(
  options: Partial<ServeOptions> = {},
  files: ShuffleFiles = new ShuffleFiles(),
): Promise<Running> {
  const log: string[] = [];
  const server = await serveShuffle({
    localDirs: [files.root],
    port: 0,
    application: undefined,
    secret: undefined,
    tls: undefined,
    labelsFile: undefined,
    statusPort: undefined,
    servesRdds: false,
    clock: systemClock,
    random: systemRandom(),
    write: (line) => void log.push(line),
    onEmpty: () => undefined,
    ...options,
  });
  const clients: Client[] = [];
  const client = async (): Promise<Client> => {
    const next = await Client.connect(server.port);
    clients.push(next);
    return next;
  };
  return {
    server,
    files,
    log,
    client,
    async registered() {
      const next = await client();
      const failure = await next.ask(registration(files));
      if (failure !== undefined) throw new Error(String(failure));
      return next;
    },
    async [Symbol.asyncDispose]() {
      for (const one of clients) one.close();
      await server.stop(0);
      files.remove();
    },
  };
}

export function registration(files: ShuffleFiles, executor = "1") {
  return {
    kind: "register-executor",
    application: APPLICATION,
    executor,
    files: { localDirs: files.localDirs, subDirsPerLocalDir: SUB_DIRS, shuffleManager: SHUFFLE_MANAGER },
  } as const;
}

const SHUFFLE_MANAGER = "org.apache.spark.shuffle.sort.SortShuffleManager";
