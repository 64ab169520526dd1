import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { type HttpResponse, type HttpTransport, readText } from "@kindling/http";

/** What the recorder knows of this driver's event logs. */
export interface RecorderState {
  /** How many bytes it has of each file, by path. */
  readonly files: ReadonlyMap<string, number>;
  /** Whether the driver's container has ended. */
  readonly hasDriverEnded: boolean;
}

/** The recorder, as the shipper of one driver sees it. */
export interface RecorderUploads {
  state(): Promise<RecorderState>;
  /** Adds bytes at the end of a file. */
  append(path: string, offset: number, bytes: Buffer): Promise<void>;
  /** The recorder has all there is. */
  complete(): Promise<void>;
}

/** The recorder does not take what it was sent, and would not take it later. */
export class RefusedError extends Error {}

const LONGEST_ANSWER = 1024 * 1024;
const REFUSED: ReadonlySet<number> = new Set([400, 403, 404, 413]);

export interface UploadOptions {
  readonly uri: URL;
  readonly http: HttpTransport;
  readonly tokenFile: string;
}

export function recorderUploads({ uri, http, tokenFile }: UploadOptions): RecorderUploads {
  async function send(
    method: "GET" | "PATCH" | "POST",
    path: string,
    { headers = {}, body }: { readonly headers?: Record<string, string>; readonly body?: Buffer } = {},
  ): Promise<HttpResponse> {
    const token = (await readFile(tokenFile, "utf8")).trim();
    const response = await http.send({
      ...{ method, url: new URL(`api/v1/event-logs/own${path}`, uri), body },
      headers: { ...headers, authorization: `Bearer ${token}` },
    });
    if (response.status < 300) return response;
    const words = `the recorder answers with status ${response.status}: ${await detailOf(response)}`;
    throw REFUSED.has(response.status) ? new RefusedError(words) : new Error(words);
  }

  return {
    async state() {
      const answer: unknown = JSON.parse(await readText(await send("GET", ""), { mostBytes: LONGEST_ANSWER }));
      const files = memberOf(answer, "files");
      const known = (Array.isArray(files) ? files : []).flatMap((one: unknown) => {
        const [path, size] = [memberOf(one, "path"), memberOf(one, "size")];
        return typeof path === "string" && typeof size === "number" ? [[path, size] as const] : [];
      });
      return { files: new Map(known), hasDriverEnded: memberOf(answer, "hasDriverEnded") === true };
    },
    async append(path, offset, bytes) {
      const digest = createHash("sha256").update(bytes).digest("base64");
      const headers = {
        "content-type": "application/octet-stream",
        "upload-offset": String(offset),
        "content-digest": `sha-256=:${digest}:`,
      };
      (await send("PATCH", `/${path}`, { headers, body: bytes })).body.resume();
    },
    async complete() {
      (await send("POST", "/complete")).body.resume();
    },
  };
}

async function detailOf(response: HttpResponse): Promise<string> {
  const text = await readText(response, { mostBytes: LONGEST_ANSWER }).catch(() => "");
  try {
    const detail = memberOf(JSON.parse(text), "detail");
    return typeof detail === "string" ? detail : "";
  } catch {
    return "";
  }
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}
