import { hdfsSource } from "./hdfs/hdfs-source.ts";
import { webSource } from "./http/web-source.ts";
import type { FileOf, RemoteContext, RemoteSource } from "./remote-source.ts";
import { s3Source } from "./s3/s3-source.ts";

/** All sources of remote files. A new one is a folder, and a line here. */
const SOURCES: readonly RemoteSource[] = [webSource, s3Source, hdfsSource];

/** Finds the source of each URI, and opens it once. */
export function remoteSources(context: () => RemoteContext): (uri: string) => Promise<ReturnType<FileOf>> {
  const opened = new Map<RemoteSource, Promise<FileOf>>();
  return async (uri) => {
    const scheme = uri.slice(0, uri.indexOf(":")).toLowerCase();
    const source = SOURCES.find(({ schemes }) => schemes.includes(scheme)) ?? webSource;
    const opening = opened.get(source) ?? source.open(context());
    opened.set(source, opening);
    return (await opening)(uri);
  };
}
