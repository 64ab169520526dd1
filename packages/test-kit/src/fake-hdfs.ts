import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

interface Inode {
  readonly id: number;
  bytes: Buffer | undefined;
  modified: number;
}

/** What goes wrong with one request. */
export type HdfsFault =
  | { readonly kind: "exception"; readonly status: number; readonly exception: string }
  /** The request is carried out, and its answer is lost. */
  | { readonly kind: "lost-answer" }
  /** The data node breaks off after so many bytes. */
  | { readonly kind: "cut"; readonly bytes: number }
  /** The name node sends the client to a host that nobody expects. */
  | { readonly kind: "astray" };

export interface FakeHdfs {
  readonly endpoint: string;
  readonly requests: readonly string[];
  /** `Authorization` as the data node saw it. */
  readonly dataAuthorizations: readonly (string | undefined)[];
  /** The next requests of an operation meet these faults, one each; `*` stands for any. */
  fail(op: string, ...faults: HdfsFault[]): void;
  /** Runs before a request is carried out. */
  onRequest(hook: ((line: string) => void) | undefined): void;
  skew(milliseconds: number): void;
  paths(): string[];
  /** Puts other bytes into a file, as somebody else's tool might. */
  spoil(path: string, bytes: string): void;
}

/** As much of WebHDFS as the store uses: a name node, and a data node on a port of its own. */
export async function fakeHdfs(): Promise<FakeHdfs> {
  const inodes = new Map<string, Inode>([["/", { id: 1, bytes: undefined, modified: 0 }]]);
  const faults = new Map<string, HdfsFault[]>();
  const requests: string[] = [];
  const dataAuthorizations: (string | undefined)[] = [];
  let nextId = 2;
  let skewMs = 0;
  let hook: ((line: string) => void) | undefined;
  const now = (): number => Date.now() + skewMs;

  const parentOf = (path: string): string => path.slice(0, path.lastIndexOf("/")) || "/";
  function touch(path: string): void {
    const parent = inodes.get(parentOf(path));
    if (parent !== undefined) parent.modified = now();
  }
  function makeDirectories(path: string): void {
    if (path === "/" || inodes.has(path)) return;
    makeDirectories(parentOf(path));
    inodes.set(path, { id: nextId++, bytes: undefined, modified: now() });
    touch(path);
  }
  const children = (path: string): [string, Inode][] =>
    [...inodes].filter(([each]) => each !== "/" && parentOf(each) === path);
  const statusOf = (name: string, { id, bytes, modified }: Inode): object => {
    return {
      pathSuffix: name,
      type: bytes === undefined ? "DIRECTORY" : "FILE",
      length: bytes?.length ?? 0,
      fileId: id,
      modificationTime: modified,
    };
  };

  function answer(response: ServerResponse, status: number, body: object | undefined): void {
    response.writeHead(status, { "content-type": "application/json", date: new Date(now()).toUTCString() });
    response.end(body === undefined ? undefined : JSON.stringify(body));
  }
  function refuse(response: ServerResponse, status: number, exception: string): void {
    answer(response, status, { RemoteException: { exception, message: exception } });
  }

  const operations: Record<string, (path: string, query: URLSearchParams, response: ServerResponse) => void> = {
    GETFILESTATUS(path, _query, response) {
      const inode = inodes.get(path);
      if (inode === undefined) refuse(response, 404, "FileNotFoundException");
      else answer(response, 200, { FileStatus: statusOf("", inode) });
    },
    LISTSTATUS(path, _query, response) {
      if (!inodes.has(path)) return refuse(response, 404, "FileNotFoundException");
      const FileStatus = children(path).map(([each, inode]) => statusOf(each.slice(each.lastIndexOf("/") + 1), inode));
      return answer(response, 200, { FileStatuses: { FileStatus } });
    },
    MKDIRS(path, _query, response) {
      makeDirectories(path);
      answer(response, 200, { boolean: true });
    },
    RENAME(path, query, response) {
      const to = query.get("destination") ?? "";
      const inode = inodes.get(path);
      const possible = inode !== undefined && !inodes.has(to) && inodes.has(parentOf(to));
      if (possible) {
        inodes.delete(path);
        inodes.set(to, inode);
        touch(path);
        touch(to);
      }
      answer(response, 200, { boolean: possible });
    },
    DELETE(path, query, response) {
      if (query.get("recursive") !== "true" && children(path).length > 0)
        return refuse(response, 403, "PathIsNotEmptyDirectoryException");
      const gone = [...inodes.keys()].filter((each) => each === path || each.startsWith(`${path}/`));
      for (const each of gone) inodes.delete(each);
      touch(path);
      return answer(response, 200, { boolean: gone.length > 0 });
    },
    CONCAT(path, query, response) {
      const sources = (query.get("sources") ?? "").split(",");
      const [target, ...rest] = [path, ...sources].map((each) => inodes.get(each));
      if (target?.bytes === undefined || rest.some((each) => (each?.bytes?.length ?? 0) === 0))
        return refuse(response, 400, "HadoopIllegalArgumentException");
      target.bytes = Buffer.concat([target.bytes, ...rest.map((each) => each?.bytes ?? Buffer.alloc(0))]);
      for (const source of sources) inodes.delete(source);
      return answer(response, 200, undefined);
    },
  };

  function atNameNode(request: IncomingMessage, response: ServerResponse): void {
    const url = new URL(request.url ?? "/", "http://name");
    const path = decodeURIComponent(url.pathname.slice("/webhdfs/v1".length)) || "/";
    const op = url.searchParams.get("op") ?? "";
    requests.push(`${op} ${path}`);
    request.resume();
    hook?.(`${op} ${path}`);
    const any = faults.get("*")?.shift();
    if (any?.kind === "exception") return refuse(response, any.status, any.exception);
    const [fault, ...rest] = faults.get(op) ?? [];
    const isData = op === "OPEN" || op === "CREATE";
    if (fault !== undefined && !(isData && (fault.kind === "cut" || fault.kind === "lost-answer")))
      faults.set(op, rest);
    if (fault?.kind === "exception") return refuse(response, fault.status, fault.exception);
    if (isData) {
      if (op === "OPEN" && inodes.get(path)?.bytes === undefined) return refuse(response, 404, "FileNotFoundException");
      const host =
        fault?.kind === "astray" ? "169.254.169.254" : `127.0.0.1:${(dataNode.address() as AddressInfo).port}`;
      const target = new URL(`http://${host}${url.pathname}${url.search}&namenoderpcaddress=x`);
      response.writeHead(307, { location: target.href, date: new Date(now()).toUTCString() }).end();
      return undefined;
    }
    if (fault?.kind === "lost-answer") {
      const lost = { writeHead: () => lost, end: () => lost } as unknown as ServerResponse;
      operations[op]?.(path, url.searchParams, lost);
      request.socket.destroy();
      return undefined;
    }
    return operations[op]?.(path, url.searchParams, response);
  }

  function atDataNode(request: IncomingMessage, response: ServerResponse): void {
    const url = new URL(request.url ?? "/", "http://data");
    const path = decodeURIComponent(url.pathname.slice("/webhdfs/v1".length));
    const op = url.searchParams.get("op") ?? "";
    dataAuthorizations.push(request.headers.authorization);
    const [fault, ...rest] = faults.get(op) ?? [];
    if (fault !== undefined) faults.set(op, rest);
    if (op === "OPEN") {
      const start = Number(url.searchParams.get("offset"));
      const body =
        inodes.get(path)?.bytes?.subarray(start, start + Number(url.searchParams.get("length"))) ?? Buffer.alloc(0);
      response.writeHead(200, { "content-length": body.length });
      if (fault?.kind === "cut") response.write(body.subarray(0, fault.bytes), () => response.destroy());
      else response.end(body);
      return;
    }
    const chunks: Buffer[] = [];
    let received = 0;
    request.on("data", (chunk: Buffer) => {
      chunks.push(chunk);
      received += chunk.length;
      if (fault?.kind === "cut" && received > fault.bytes) request.socket.destroy();
    });
    request.on("end", () => {
      if (inodes.has(path)) return refuse(response, 403, "FileAlreadyExistsException");
      makeDirectories(parentOf(path));
      inodes.set(path, { id: nextId++, bytes: Buffer.concat(chunks), modified: now() });
      touch(path);
      if (fault?.kind === "lost-answer") return request.socket.destroy();
      return response.writeHead(201).end();
    });
  }

  const nameNode = await listen(createServer(atNameNode));
  const dataNode = await listen(createServer(atDataNode));
  return {
    endpoint: `http://127.0.0.1:${(nameNode.address() as AddressInfo).port}`,
    requests,
    dataAuthorizations,
    fail: (op, ...more) => void faults.set(op, [...(faults.get(op) ?? []), ...more]),
    onRequest(next) {
      hook = next;
    },
    skew(milliseconds) {
      skewMs = milliseconds;
    },
    spoil(path, bytes) {
      const inode = inodes.get(path);
      if (inode === undefined) throw new Error(`there is no ${path}`);
      inode.bytes = Buffer.from(bytes);
    },
    paths: () => [...inodes].filter(([, { bytes }]) => bytes !== undefined).map(([path]) => path),
  };
}

async function listen(server: Server): Promise<Server> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise<void>((resolve) => server.close(() => resolve()));
  });
  return server;
}
