import { createServer } from "node:http";
import { dataNode } from "./hdfs/data-node.ts";
import type { FakeCluster, HdfsFault } from "./hdfs/fake-cluster.ts";
import { fileTree } from "./hdfs/file-tree.ts";
import { nameNode } from "./hdfs/name-node.ts";
import { listening } from "./listening-server.ts";

export type { HdfsFault } from "./hdfs/fake-cluster.ts";

export interface FakeHdfs {
  readonly endpoint: string;
  readonly requests: readonly string[];
  /** `Authorization` as the data node received it. */
  readonly dataAuthorizations: readonly (string | undefined)[];
  /** The next requests of an operation get these faults, one each; `*` stands for any operation. */
  fail(op: string, ...faults: HdfsFault[]): void;
  /** Runs before a request is carried out. */
  onRequest(hook: ((line: string) => void) | undefined): void;
  skew(milliseconds: number): void;
  paths(): string[];
  /** Puts other bytes into a file, as another tool might. */
  spoil(path: string, bytes: string): void;
}

/** The part of WebHDFS that the store uses: a name node, and a data node on its own port. */
export async function fakeHdfs(): Promise<FakeHdfs> {
  let skewMs = 0;
  const tree = fileTree(() => Date.now() + skewMs);
  const cluster: FakeCluster = { tree, faults: new Map(), requests: [], dataAuthorizations: [], hook: undefined };
  const { requests, dataAuthorizations, faults } = cluster;
  const data = await listening(createServer(dataNode(cluster)));
  const name = await listening(createServer(nameNode(cluster, data.port)));
  return {
    endpoint: `http://127.0.0.1:${name.port}`,
    requests,
    dataAuthorizations,
    fail: (op, ...more) => void faults.set(op, [...(faults.get(op) ?? []), ...more]),
    onRequest(next) {
      cluster.hook = next;
    },
    skew(milliseconds) {
      skewMs = milliseconds;
    },
    spoil(path, bytes) {
      const inode = tree.inodes.get(path);
      if (inode === undefined) throw new Error(`there is no ${path}`);
      inode.bytes = Buffer.from(bytes);
    },
    paths: () => [...tree.inodes].filter(([, { bytes }]) => bytes !== undefined).map(([path]) => path),
  };
}
