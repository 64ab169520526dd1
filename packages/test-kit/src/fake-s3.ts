import { createHash, randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

interface FakeObject {
  readonly bytes: Buffer;
  readonly etag: string;
  readonly meta: Record<string, string>;
  readonly modified: number;
}

interface FakeUpload {
  readonly key: string;
  readonly parts: Map<number, { bytes: Buffer; etag: string }>;
  readonly initiated: number;
}

/** What goes wrong with one request. */
export type S3Fault =
  /** An error instead of an answer; nothing is done. */
  | { readonly kind: "status"; readonly status: number; readonly code: string }
  /** The request is carried out, and its answer is lost. */
  | { readonly kind: "lost-answer" }
  /** A success in the headers, an error in the body. */
  | { readonly kind: "late-error" }
  /** The connection breaks after so many bytes of the body. */
  | { readonly kind: "cut"; readonly bytes: number };

export interface FakeS3 {
  readonly endpoint: string;
  readonly objects: ReadonlyMap<string, FakeObject>;
  readonly openUploads: number;
  readonly requests: readonly string[];
  /** How many parts were on their way at once, at most. */
  readonly mostParts: number;
  /** The next requests that match meet these faults, one each. */
  fail(match: RegExp, ...faults: S3Fault[]): void;
  /** Runs before a request is carried out. */
  onRequest(hook: ((line: string) => void) | undefined): void;
  /** Puts other bytes into an object, as somebody else's tool might. */
  spoil(key: string, bytes: string): void;
  /** By how much its clock is ahead. */
  skew(milliseconds: number): void;
  /** Passes over If-Match and If-None-Match, as old servers do. */
  ignoreConditions(): void;
}

export const FAKE_BUCKET = "bucket";

/** As much of S3 as the store uses, in memory, with small pages, and with faults on command. */
export async function fakeS3(): Promise<FakeS3> {
  const objects = new Map<string, FakeObject>();
  const uploads = new Map<string, FakeUpload>();
  const faults: { match: RegExp; fault: S3Fault }[] = [];
  const requests: string[] = [];
  let hook: ((line: string) => void) | undefined;
  let skewMs = 0;
  let parts = 0;
  let mostParts = 0;
  let conditions = true;

  function error(response: ServerResponse, status: number, code: string): void {
    response.writeHead(status, { date: date() }).end(`<?xml version="1.0"?><Error><Code>${code}</Code></Error>`);
  }
  const date = (): string => new Date(Date.now() + skewMs).toUTCString();

  function listing(url: URL): string {
    const prefix = url.searchParams.get("prefix") ?? "";
    const delimiter = url.searchParams.get("delimiter");
    const after = url.searchParams.get("continuation-token") ?? "";
    const entries = new Map<string, string>();
    for (const [key, object] of [...objects].sort(([a], [b]) => (a < b ? -1 : 1))) {
      if (!key.startsWith(prefix)) continue;
      const rest = key.slice(prefix.length);
      const cut = delimiter === null ? -1 : rest.indexOf(delimiter);
      if (cut >= 0) {
        const common = prefix + rest.slice(0, cut + 1);
        entries.set(common, `<CommonPrefixes><Prefix>${common}</Prefix></CommonPrefixes>`);
      } else {
        const modified = new Date(object.modified).toISOString();
        entries.set(
          key,
          `<Contents><Key>${key}</Key><LastModified>${modified}</LastModified><ETag>${object.etag.replaceAll('"', "&quot;")}</ETag><Size>${object.bytes.length}</Size></Contents>`,
        );
      }
    }
    const left = [...entries].filter(([key]) => key > after);
    const page = left.slice(0, 3);
    const more = left.length > page.length;
    const next = more ? `<NextContinuationToken>${page.at(-1)?.[0] ?? ""}</NextContinuationToken>` : "";
    return `<ListBucketResult><IsTruncated>${more}</IsTruncated>${next}${page.map(([, xml]) => xml).join("")}</ListBucketResult>`;
  }

  function put(key: string, bytes: Buffer, request: IncomingMessage, response: ServerResponse): void {
    const current = objects.get(key);
    const { "if-none-match": absent, "if-match": match } = request.headers;
    if (conditions && absent === "*" && current !== undefined) return error(response, 412, "PreconditionFailed");
    if (conditions && match !== undefined && current === undefined) return error(response, 404, "NoSuchKey");
    if (conditions && match !== undefined && current?.etag !== match) return error(response, 412, "PreconditionFailed");
    const sha256 = createHash("sha256").update(bytes).digest("hex");
    if (request.headers["x-amz-content-sha256"] !== sha256) return error(response, 400, "XAmzContentSHA256Mismatch");
    const meta = Object.fromEntries(
      Object.entries(request.headers).filter(([name]) => name.startsWith("x-amz-meta-")),
    ) as Record<string, string>;
    const etag = `"${createHash("md5").update(bytes).update(JSON.stringify(meta)).digest("hex")}"`;
    objects.set(key, { bytes, etag, meta, modified: Date.now() });
    response.writeHead(200, { etag, date: date() }).end();
  }

  function get(key: string, request: IncomingMessage, response: ServerResponse, fault: S3Fault | undefined): void {
    const object = objects.get(key);
    if (object === undefined) return error(response, 404, "NoSuchKey");
    const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? "") ?? [];
    const body = first === undefined ? object.bytes : object.bytes.subarray(Number(first), Number(last) + 1);
    response.writeHead(first === undefined ? 200 : 206, {
      ...object.meta,
      etag: object.etag,
      "content-length": body.length,
      date: date(),
    });
    if (fault?.kind === "cut") response.write(body.subarray(0, fault.bytes), () => response.destroy());
    else response.end(request.method === "HEAD" ? undefined : body);
  }

  function multipart(key: string, url: URL, bytes: Buffer, request: IncomingMessage, response: ServerResponse): void {
    const id = url.searchParams.get("uploadId") ?? "";
    const upload = uploads.get(id);
    if (upload === undefined) return error(response, 404, "NoSuchUpload");
    if (request.method === "DELETE") {
      uploads.delete(id);
      response.writeHead(204, { date: date() }).end();
    } else if (request.method === "PUT") {
      const etag = `"${createHash("md5").update(bytes).digest("hex")}"`;
      upload.parts.set(Number(url.searchParams.get("partNumber")), { bytes, etag });
      response.writeHead(200, { etag, date: date() }).end();
    } else {
      const named = [...bytes.toString().matchAll(/<PartNumber>(\d+)<\/PartNumber><ETag>([^<]+)<\/ETag>/g)];
      const parts = named.map(([, number, etag]) => ({
        part: upload.parts.get(Number(number)),
        etag: (etag ?? "").replaceAll("&quot;", '"'),
      }));
      if (parts.some(({ part, etag }) => part?.etag !== etag)) return error(response, 400, "InvalidPart");
      const all = Buffer.concat(parts.map(({ part }) => part?.bytes ?? Buffer.alloc(0)));
      objects.set(key, { bytes: all, etag: `"${randomUUID()}-${parts.length}"`, meta: {}, modified: Date.now() });
      uploads.delete(id);
      response.writeHead(200, { date: date() }).end("<CompleteMultipartUploadResult></CompleteMultipartUploadResult>");
    }
  }

  function carryOut(
    request: IncomingMessage,
    response: ServerResponse,
    bytes: Buffer,
    fault: S3Fault | undefined,
  ): void {
    const url = new URL(request.url ?? "/", "http://s3");
    const key = decodeURIComponent(url.pathname.slice(FAKE_BUCKET.length + 2));
    if (
      request.headers.authorization?.startsWith("AWS4-HMAC-SHA256 Credential=") !== true &&
      !url.searchParams.has("X-Amz-Signature")
    )
      return error(response, 403, "AccessDenied");
    if (key === "" && url.searchParams.has("uploads")) {
      const listed = [...uploads].map(
        ([id, { key: of, initiated }]) =>
          `<Upload><Key>${of}</Key><UploadId>${id}</UploadId><Initiated>${new Date(initiated).toISOString()}</Initiated></Upload>`,
      );
      response.writeHead(200, { date: date() }).end(`<R><IsTruncated>false</IsTruncated>${listed.join("")}</R>`);
    } else if (key === "") response.writeHead(200, { date: date() }).end(listing(url));
    else if (url.searchParams.has("uploads")) {
      const id = randomUUID();
      uploads.set(id, { key, parts: new Map(), initiated: Date.now() });
      response.writeHead(200, { date: date() }).end(`<R><UploadId>${id}</UploadId></R>`);
    } else if (url.searchParams.has("uploadId")) multipart(key, url, bytes, request, response);
    else if (request.method === "PUT") put(key, bytes, request, response);
    else if (request.method === "DELETE") {
      objects.delete(key);
      response.writeHead(204, { date: date() }).end();
    } else get(key, request, response, fault);
  }

  const server = createServer((request, response) => {
    const line = `${request.method} ${request.url}`;
    requests.push(line);
    if (/^PUT .*partNumber=/.test(line)) {
      mostParts = Math.max(mostParts, ++parts);
      response.on("close", () => parts--);
    }
    hook?.(line);
    const index = faults.findIndex(({ match }) => match.test(line));
    const [{ fault } = {}] = index < 0 ? [] : faults.splice(index, 1);
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const bytes = Buffer.concat(chunks);
      if (fault?.kind === "status") return error(response, fault.status, fault.code);
      if (fault?.kind === "late-error")
        return response
          .writeHead(200, { date: date() })
          .end('<?xml version="1.0"?>\n<Error><Code>InternalError</Code></Error>');
      if (fault?.kind === "lost-answer") {
        const lost = { writeHead: () => lost, write: () => true, end: () => lost } as unknown as ServerResponse;
        carryOut(request, lost, bytes, undefined);
        return request.socket.destroy();
      }
      return carryOut(request, response, bytes, fault);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise<void>((resolve) => server.close(() => resolve()));
  });
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    objects,
    get openUploads() {
      return uploads.size;
    },
    requests,
    get mostParts() {
      return mostParts;
    },
    fail: (match, ...more) => void faults.push(...more.map((fault) => ({ match, fault }))),
    onRequest(next) {
      hook = next;
    },
    spoil(key, bytes) {
      const object = objects.get(key);
      if (object === undefined) throw new Error(`there is no ${key}`);
      objects.set(key, { ...object, bytes: Buffer.from(bytes), etag: `"${randomUUID()}"` });
    },
    skew(milliseconds) {
      skewMs = milliseconds;
    },
    ignoreConditions() {
      conditions = false;
    },
  };
}
