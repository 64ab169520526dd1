import { createReadStream } from "node:fs";
import { dirname, join } from "node:path/posix";
import type { Readable } from "node:stream";
import { messageOf } from "@kindling/core-spec";
import { ifPresent, isObjectStoreError } from "@kindling/object-store";
import type { WebHdfsClient } from "@kindling/object-store/webhdfs";
import type { Random } from "@kindling/outside";
import { type Archive, type ArchivedFile, ArchiveError } from "./archive.ts";

/** Names of files that are not complete yet. No name in an archive begins with a dot. */
const UNFINISHED = ".unfinished-";

export interface WebhdfsArchiveOptions {
  readonly client: WebHdfsClient;
  /** An absolute path. */
  readonly root: string;
  readonly random: Pick<Random, "uuid">;
  readonly close: () => void;
}

/** An archive in a folder of HDFS. */
export function webhdfsArchive({ client, root, random, close }: WebhdfsArchiveOptions): Archive {
  const at = (path: string): string => join(root, path);

  async function publish(path: string, open: () => Readable | Buffer): Promise<void> {
    const target = at(path);
    const unfinished = join(dirname(target), `${UNFINISHED}${random.uuid()}`);
    await guarded(async () => {
      await client.makeDirectory(dirname(target));
      try {
        await client.create(unfinished, open());
        if (await client.rename(unfinished, target)) return;
        // HDFS renames over nothing that exists: a reader finds no file for a moment.
        await ifPresent(client.delete(target));
        if (!(await client.rename(unfinished, target)))
          throw new ArchiveError(`${target} cannot be replaced`, undefined);
      } catch (error) {
        await client.delete(unfinished).catch(() => false);
        throw error;
      }
    });
  }

  async function* below(folder: string): AsyncGenerator<ArchivedFile, void> {
    for (const { name, type, length, modified } of (await entriesOf(folder)) ?? []) {
      const path = `${folder}/${name}`;
      if (type === "DIRECTORY") yield* below(path);
      else if (!name.startsWith(".")) yield { path, size: length, modified };
    }
  }

  /** Removes folders that have become empty, up to the root. */
  async function removeEmpty(folder: string): Promise<void> {
    for (let path = folder; path !== "."; path = dirname(path)) {
      if ((await entriesOf(path))?.length !== 0) return;
      await ifPresent(client.delete(at(path)));
    }
  }

  const entriesOf = (folder: string): ReturnType<typeof listed> => listed(client, at(folder));

  return {
    name: `the folder ${root} of HDFS`,
    put: (path, content) => publish(path, () => content),
    putFile: (path, file) => publish(path, () => createReadStream(file)),
    read: (path) =>
      guarded(async () => {
        const response = await ifPresent(client.open(at(path), { start: 0 }));
        if (response === undefined) return undefined;
        const chunks: Buffer[] = [];
        for await (const chunk of response.body) chunks.push(chunk as Buffer);
        return Buffer.concat(chunks);
      }),
    open: (path, part = { start: 0 }) => guarded(async () => (await ifPresent(client.open(at(path), part)))?.body),
    list: (folder) => below(folder),
    folders: async (folder) =>
      ((await entriesOf(folder)) ?? []).flatMap(({ name, type }) => (type === "DIRECTORY" ? [name] : [])),
    delete: (path) =>
      guarded(async () => {
        await ifPresent(client.delete(at(path)));
        await removeEmpty(dirname(path));
      }),
    close() {
      close();
      return Promise.resolve();
    },
  };
}

async function listed(
  client: WebHdfsClient,
  path: string,
): Promise<Awaited<ReturnType<WebHdfsClient["list"]>> | undefined> {
  return await guarded(() => ifPresent(client.list(path)));
}

async function guarded<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw isObjectStoreError(error) ? new ArchiveError(messageOf(error), error) : error;
  }
}
