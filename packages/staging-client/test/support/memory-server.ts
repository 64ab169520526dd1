import { createHash, randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { listening } from "@kindling/test-kit/listening-server";
import { manifestDigest, parseDigestField, type BundleFile, type Capabilities } from "../../src/protocol/index.ts";
import { sendJson, sendProblem } from "./stub-server.ts";

export interface MemoryServer {
  readonly uri: string;
  readonly blobs: Map<string, Buffer>;
  readonly bundles: readonly (readonly BundleFile[])[];
  /** Method and path of each request, without queries. */
  readonly lines: readonly string[];
  /** The total number of received bytes of bodies. */
  readonly received: number;
  /** Called before a request is handled; returns `true` if it has handled the request. */
  intercept: ((request: IncomingMessage, response: ServerResponse, line: string) => boolean) | undefined;
  /** Breaks the connection once when an append has brought this many bytes; it must be set again for another break. */
  cutBodyAfter: number | undefined;
  expireLeases(): void;
  forgetUploads(): void;
}

export const LIMITS: Capabilities["limits"] = {
  maxFileBytes: 1e9,
  maxBundleFiles: 4096,
  maxDigestsPerRequest: 4,
  maxUploadsPerClient: 8,
  oneShotBytes: 10_000,
};

interface Upload {
  readonly digest: string;
  readonly size: number;
  bytes: Buffer;
  complete: boolean;
}

/** The server's data. */
interface Memory {
  readonly blobs: Map<string, Buffer>;
  readonly uploads: Map<string, Upload>;
  readonly leases: Set<string>;
  readonly bundles: (readonly BundleFile[])[];
}

/**
 * The protocol's version 1 over a map, for tests of the client: it only verifies, and keeps the received part of a cut
 * body.
 */
export async function memoryServer(): Promise<MemoryServer> {
  const memory: Memory = { blobs: new Map(), uploads: new Map(), leases: new Set(), bundles: [] };
  const { blobs, uploads, leases, bundles } = memory;
  const lines: string[] = [];
  const state: MemoryServer = {
    uri: "",
    blobs,
    bundles,
    lines,
    received: 0,
    intercept: undefined,
    cutBodyAfter: undefined,
    expireLeases: () => leases.clear(),
    forgetUploads: () => uploads.clear(),
  };
  const counter = state as { received: number };

  const server = createServer((request, response) => {
    const url = new URL(request.url ?? "/", "http://server");
    const line = `${request.method} ${url.pathname}`;
    lines.push(line);
    if (state.intercept?.(request, response, line) === true) return;
    const chunks: Buffer[] = [];
    let bytes = 0;
    request.on("data", (chunk: Buffer) => {
      bytes += chunk.length;
      counter.received += chunk.length;
      chunks.push(chunk);
      if (state.cutBodyAfter === undefined || bytes < state.cutBodyAfter) return;
      const cut = uploads.get(uploadIn(url.pathname) ?? "");
      if (cut === undefined) return;
      cut.bytes = Buffer.concat([cut.bytes, Buffer.concat(chunks).subarray(0, state.cutBodyAfter)]);
      state.cutBodyAfter = undefined;
      request.socket.resetAndDestroy();
    });
    request.on("error", () => undefined);
    request.on("end", () => serve(memory, request, response, url, Buffer.concat(chunks)));
  });
  const { port } = await listening(server);
  return Object.assign(state, { uri: `http://127.0.0.1:${port}/` });
}

/** The id of the upload in a path. */
function uploadIn(path: string): string | undefined {
  return /^\/api\/v1\/uploads\/(.+)$/.exec(path)?.[1];
}

function serve(memory: Memory, request: IncomingMessage, response: ServerResponse, url: URL, body: Buffer): void {
  const { blobs, uploads, leases } = memory;
  const path = url.pathname;
  if (path === "/api/v1/capabilities") return sendJson(response, 200, { versions: ["v1"], limits: LIMITS });
  if (path === "/api/v1/leases") {
    const leaseId = randomUUID();
    leases.add(leaseId);
    return sendJson(response, 201, { leaseId, expiresIn: 900 });
  }
  const id = uploadIn(path);
  if (id !== undefined) return append(memory, request, response, id, body);
  if (!leases.has(leaseOf(request, url, body))) return sendProblem(response, 409, "lease-expired");
  if (path === "/api/v1/blobs:missing") {
    const { digests } = JSON.parse(body.toString()) as { digests: { digest: string }[] };
    return sendJson(response, 200, {
      missing: digests.map(({ digest }) => digest).filter((digest) => !blobs.has(digest)),
    });
  }
  if (request.method === "PUT") {
    const digest = path.slice("/api/v1/blobs/".length);
    if (digestOf(body) !== digest) return sendProblem(response, 400, "digest-mismatch");
    blobs.set(digest, body);
    response.writeHead(201).end();
    return undefined;
  }
  if (path === "/api/v1/uploads") {
    const name = randomUUID();
    const digest = parseDigestField(String(request.headers["repr-digest"])) ?? "";
    uploads.set(name, {
      digest,
      size: Number(request.headers["upload-length"]),
      bytes: Buffer.alloc(0),
      complete: false,
    });
    response.writeHead(201, { location: `/api/v1/uploads/${name}`, "upload-offset": 0 }).end();
    return undefined;
  }
  return commit(memory, response, body);
}

function leaseOf(request: IncomingMessage, url: URL, body: Buffer): string {
  const named = url.searchParams.get("lease");
  if (named !== null) return named;
  if (body.length === 0 || request.headers["content-type"] !== "application/json") return "";
  return (JSON.parse(body.toString()) as { lease?: string }).lease ?? "";
}

function append(
  { blobs, uploads }: Memory,
  request: IncomingMessage,
  response: ServerResponse,
  id: string,
  body: Buffer,
): void {
  const found = uploads.get(id);
  if (found === undefined) return sendProblem(response, 410, "upload-gone");
  if (request.method === "HEAD") {
    response
      .writeHead(204, { "upload-offset": found.bytes.length, "upload-complete": found.complete ? "?1" : "?0" })
      .end();
    return undefined;
  }
  const offset = Number(request.headers["upload-offset"]);
  if (offset !== found.bytes.length) {
    return sendProblem(response, 409, "https://iana.org/assignments/http-problem-types#mismatching-upload-offset", {
      "expected-offset": found.bytes.length,
    });
  }
  found.bytes = Buffer.concat([found.bytes, body]);
  const isLast = request.headers["upload-complete"] === "?1";
  if (isLast && digestOf(found.bytes) !== found.digest) return sendProblem(response, 400, "digest-mismatch");
  if (isLast) {
    found.complete = true;
    blobs.set(found.digest, found.bytes);
  }
  response
    .writeHead(isLast ? 201 : 204, { "upload-complete": isLast ? "?1" : "?0", "upload-offset": found.bytes.length })
    .end();
  return undefined;
}

function commit({ blobs, bundles }: Memory, response: ServerResponse, body: Buffer): void {
  const { files } = JSON.parse(body.toString()) as { files: BundleFile[] };
  const missing = files.map(({ digest }) => digest).filter((digest) => !blobs.has(digest));
  if (missing.length > 0) return sendProblem(response, 422, "blobs-missing", { missing });
  bundles.push(files);
  return sendJson(response, 201, {
    bundleId: randomUUID(),
    secret: "secret",
    manifestDigest: manifestDigest(files),
    expiresIn: 1800,
  });
}

function digestOf(bytes: Buffer): string {
  return `sha256:${createHash("sha256").update(bytes).digest("hex")}`;
}
