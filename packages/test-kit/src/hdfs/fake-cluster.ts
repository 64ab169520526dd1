import type { ServerResponse } from "node:http";
import type { FileTree } from "./file-tree.ts";

/** The fault of one request. */
export type HdfsFault =
  | { readonly kind: "exception"; readonly status: number; readonly exception: string }
  /** The request is carried out, and its answer is lost. */
  | { readonly kind: "lost-answer" }
  /** The data node stops after this many bytes. */
  | { readonly kind: "cut"; readonly bytes: number }
  /** The name node redirects the client to an unexpected host. */
  | { readonly kind: "astray" };

/** What name node and data node share. */
export interface FakeCluster {
  readonly tree: FileTree;
  /** The faults of the next requests of an operation; `*` stands for any operation. */
  readonly faults: Map<string, HdfsFault[]>;
  /** The requests to the name node. */
  readonly requests: string[];
  /** `Authorization` as the data node received it. */
  readonly dataAuthorizations: (string | undefined)[];
  hook: ((line: string) => void) | undefined;
}

/** What a request asks for. */
export interface WebHdfsRequest {
  readonly op: string;
  readonly path: string;
  readonly url: URL;
}

const PREFIX = "/webhdfs/v1";

export function parseRequest(uri: string | undefined): WebHdfsRequest {
  const url = new URL(uri ?? "/", "http://node");
  const path = decodeURIComponent(url.pathname.slice(PREFIX.length)) || "/";
  return { op: url.searchParams.get("op") ?? "", path, url };
}

export function answer({ now }: FileTree, response: ServerResponse, status: number, body: object | undefined): void {
  response.writeHead(status, { "content-type": "application/json", date: new Date(now()).toUTCString() });
  response.end(body === undefined ? undefined : JSON.stringify(body));
}

export function refuse(tree: FileTree, response: ServerResponse, status: number, exception: string): void {
  answer(tree, response, status, { RemoteException: { exception, message: exception } });
}
