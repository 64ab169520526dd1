import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { parseRequest, refuse, type FakeCluster, type HdfsFault, type WebHdfsRequest } from "./fake-cluster.ts";
import type { FileTree } from "./file-tree.ts";

/** Serves and stores the bytes of files. */
export function dataNode({ tree, faults, dataAuthorizations }: FakeCluster): RequestListener {
  return (request, response) => {
    const asked = parseRequest(request.url);
    dataAuthorizations.push(request.headers.authorization);
    const [fault, ...rest] = faults.get(asked.op) ?? [];
    if (fault !== undefined) faults.set(asked.op, rest);
    if (asked.op === "OPEN") give(tree, asked, response, fault);
    else take(tree, asked, request, response, fault);
  };
}

function give(
  tree: FileTree,
  { path, url }: WebHdfsRequest,
  response: ServerResponse,
  fault: HdfsFault | undefined,
): void {
  const start = Number(url.searchParams.get("offset"));
  const length = url.searchParams.get("length");
  const end = length === null ? undefined : start + Number(length);
  const body = tree.inodes.get(path)?.bytes?.subarray(start, end) ?? Buffer.alloc(0);
  response.writeHead(200, { "content-length": body.length });
  if (fault?.kind === "cut") response.write(body.subarray(0, fault.bytes), () => response.destroy());
  else response.end(body);
}

function take(
  tree: FileTree,
  { path }: WebHdfsRequest,
  request: IncomingMessage,
  response: ServerResponse,
  fault: HdfsFault | undefined,
): void {
  const chunks: Buffer[] = [];
  let received = 0;
  request.on("data", (chunk: Buffer) => {
    chunks.push(chunk);
    received += chunk.length;
    if (fault?.kind === "cut" && received > fault.bytes) request.socket.destroy();
  });
  request.on("end", () => {
    if (tree.inodes.has(path)) return refuse(tree, response, 403, "FileAlreadyExistsException");
    tree.createFile(path, Buffer.concat(chunks));
    if (fault?.kind === "lost-answer") return request.socket.destroy();
    return response.writeHead(201).end();
  });
}
