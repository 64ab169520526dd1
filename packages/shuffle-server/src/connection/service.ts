import type { Executors } from "../blocks/executors.ts";
import { BlockFiles } from "../blocks/block-files.ts";
import { PiecePool } from "./piece-pool.ts";
import { PieceReader } from "./piece-reader.ts";
import { RequestMemory } from "./request-memory.ts";
import { RemoteError } from "../remote-error.ts";
import type { Refusals } from "./refusals.ts";

/** What all connections share. */
export interface Service {
  /** Every other application is refused; undefined admits all. */
  readonly application: string | undefined;
  /** If there is one, clients must prove that they know it. */
  readonly secret: string | undefined;
  readonly executors: Executors;
  readonly files: BlockFiles;
  readonly pool: PiecePool;
  readonly reader: PieceReader;
  readonly memory: RequestMemory;
  readonly refusals: Refusals;
  /** A stream's id, which no other stream has. */
  readonly nextStreamId: () => bigint;
  /** An executor was registered: resolves when that is remembered. */
  readonly registered: () => Promise<void>;
  /** Blocks were removed. */
  readonly blocksRemoved: () => void;
  /** A client has asked for blocks of RDDs. */
  readonly rddBlocksUsed: () => void;
}

export interface ServiceOptions {
  readonly application: string | undefined;
  readonly secret: string | undefined;
  readonly executors: Executors;
  /** Milliseconds that only ever grow, with fractions. */
  readonly now: () => number;
  /** Uniform in [0, 1). */
  readonly fraction: () => number;
  readonly refusals: Refusals;
  readonly registered: () => Promise<void>;
  readonly blocksRemoved: () => void;
  readonly rddBlocksUsed: () => void;
}

export function createService(options: ServiceOptions): Service {
  const { application, secret, executors, now, fraction, refusals, registered, blocksRemoved, rddBlocksUsed } = options;
  // As Spark's service: a random start makes streams of different runs distinguishable.
  let streamId = BigInt(Math.floor(fraction() * 0x7fff_ffff)) * 1000n;
  return {
    application,
    secret,
    executors,
    files: new BlockFiles(now),
    pool: new PiecePool(now),
    reader: new PieceReader(now),
    memory: new RequestMemory(() =>
      refusals.note(
        "overload",
        undefined,
        "the requests of all clients take too much memory: one connection is closed",
      ),
    ),
    refusals,
    nextStreamId: () => streamId++,
    registered,
    blocksRemoved,
    rddBlocksUsed,
  };
}

/** @throws RemoteError for another application than the one that is served */
export function checkApplication({ application }: Service, asked: string): void {
  if (application === undefined || application === asked) return;
  // Spark's text for a client that is authenticated for another application.
  throw new RemoteError(
    "application",
    "java.lang.SecurityException",
    `Client for ${application} not authorized for application ${asked}.`,
  );
}
