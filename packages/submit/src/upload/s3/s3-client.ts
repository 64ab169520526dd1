import { createHash } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { AwsClient } from "aws4fetch";
import { harmlessText, KindlingError, messageOf } from "@kindling/core-spec";
import type { S3Settings } from "./s3-settings.ts";

const ATTEMPTS = 5;
const FIRST_PAUSE_MS = 200;

/** One request to a bucket: `query` as S3 spells it, without the question mark. */
export interface S3Request {
  readonly method: "PUT" | "POST" | "DELETE";
  readonly key: string;
  readonly query?: string;
  readonly body?: Uint8Array<ArrayBuffer>;
}

/**
 * Signed requests to one bucket (AWS Signature Version 4). A request carries the SHA-256 of its body, so that the
 * store refuses what arrives otherwise. Answers 429 and 5xx and lost connections are tried again, five times in all.
 */
export class S3Client {
  readonly #aws: AwsClient;
  readonly #settings: S3Settings;
  readonly #signal: AbortSignal | undefined;

  constructor(settings: S3Settings, signal: AbortSignal | undefined) {
    const { accessKeyId, secretAccessKey, sessionToken, region } = settings;
    this.#aws = new AwsClient({
      accessKeyId,
      secretAccessKey,
      ...(sessionToken !== undefined && { sessionToken }),
      region,
      service: "s3",
    });
    this.#settings = settings;
    this.#signal = signal;
  }

  /** @throws KindlingError `UPLOAD_FAILED` with the store's own code and message */
  async send(request: S3Request): Promise<{ readonly etag: string; readonly text: string }> {
    for (let attempt = 1; ; attempt++) {
      const answer = await this.#once(request);
      if (!(answer instanceof Error)) return answer;
      if (attempt === ATTEMPTS || !(answer instanceof Passing)) throw answer;
      await wait(FIRST_PAUSE_MS * 2 ** (attempt - 1), undefined, { signal: this.#signal });
    }
  }

  /** The same without the signal: for what must be known, or cleared up, also after the upload was cancelled. */
  uncancelled(): S3Client {
    return new S3Client(this.#settings, undefined);
  }

  async #once({ method, key, query, body }: S3Request): Promise<{ etag: string; text: string } | Error> {
    const url = `${this.#settings.bucketUrl}/${encodeKey(key)}${query === undefined ? "" : `?${query}`}`;
    const digest = createHash("sha256")
      .update(body ?? "")
      .digest("hex");
    const signed = await this.#aws.sign(url, {
      method,
      headers: { "x-amz-content-sha256": digest },
      ...(body !== undefined && { body }),
    });
    let response: Response;
    let text: string;
    try {
      response = await fetch(signed, { redirect: "manual", ...(this.#signal && { signal: this.#signal }) });
      text = await beginningOf(response);
    } catch (error) {
      if (this.#signal?.aborted === true) throw error;
      return new Passing("UPLOAD_FAILED", `${new URL(url).host} did not answer: ${causeOf(error)}`, {
        hint: "spark.hadoop.fs.s3a.endpoint (or AWS_ENDPOINT_URL) says where the store is",
      });
    }
    if (response.ok && !text.includes("<Error>")) return { etag: response.headers.get("etag") ?? "", text };
    const failure = [
      `${new URL(url).host} refused it: ${describe(response.status, text)}`,
      this.#hint(response),
    ] as const;
    const passing = response.ok || response.status === 429 || response.status >= 500;
    return new (passing ? Passing : KindlingError)("UPLOAD_FAILED", failure[0], failure[1]);
  }

  #hint(response: Response): { hint?: string } {
    const region = response.headers.get("x-amz-bucket-region");
    if (region !== null && /^[\w-]{1,64}$/.test(region) && region !== this.#settings.region) {
      return { hint: `the bucket is in ${region}; set spark.hadoop.fs.s3a.endpoint.region=${region}` };
    }
    if (response.status === 403) {
      return { hint: `check the credentials, and that they may write to the bucket ${this.#settings.bucket}` };
    }
    return {};
  }
}

/** What another attempt may cure. */
class Passing extends KindlingError {}

/** What `encodeURIComponent` leaves and S3's canonical URI does not (RFC 3986, 2.3). */
function encodeKey(key: string): string {
  return key
    .split("/")
    .map((segment) =>
      encodeURIComponent(segment).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`),
    )
    .join("/");
}

function describe(status: number, body: string): string {
  const code = element(body, "Code");
  const message = element(body, "Message");
  if (code === undefined) return `HTTP ${status}`;
  return `${harmlessText(decode(message ?? ""))} (${harmlessText(code, 100)}, HTTP ${status})`.trim();
}

// S3's answers to these requests have some hundred characters.
const LONGEST_ANSWER = 64 * 1024;

/** The text of an answer, of which no more is read than S3 has to say. */
async function beginningOf({ body }: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  if (body === null) return text;
  for await (const chunk of body) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length > LONGEST_ANSWER) break;
  }
  return text;
}

function decode(xml: string): string {
  return xml
    .replaceAll(/&(?:#39|apos);/g, "'")
    .replaceAll("&quot;", '"')
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&");
}

/** The text of the first element of that name; S3's answers neither nest nor repeat the ones that matter here. */
export function element(xml: string, name: string): string | undefined {
  return new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1];
}

function causeOf(error: unknown): string {
  return error instanceof Error && error.cause !== undefined ? messageOf(error.cause) : messageOf(error);
}
