import { readFile } from "node:fs/promises";
import { rootCertificates } from "node:tls";
import { httpTransport, isHttpError, withoutProxy } from "@kindling/http";
import type { Clock } from "@kindling/outside";
import { connectRecorder, type RecorderClient } from "@kindling/recorder-client";
import type { RecorderAddress } from "../config/recorder-keys.ts";

export interface RecorderConnection {
  /** Asks a question, once more if the recorder has closed a connection that was idle. */
  ask<T>(question: (recorder: RecorderClient) => Promise<T>): Promise<T>;
  close(): void;
}

export interface RecorderConnectionOptions {
  readonly clock: Clock;
  /** How long the recorder may take to answer, and to continue an answer. */
  readonly answerMs: number;
  /** How long a question that is under way still uses certificates that were replaced. */
  readonly underWayMs: number;
}

const CONNECT_MS = 2_000;

/**
 * The recorder of the settings; undefined if there is none. The token and the certificates are read for each question: the
 * kubelet renews them.
 */
export function recorderConnection(
  config: RecorderAddress,
  { clock, answerMs, underWayMs }: RecorderConnectionOptions,
): RecorderConnection | undefined {
  const { "recorder.uri": uri, "recorder.tokenFile": tokenFile, "recorder.caFile": caFile } = config;
  if (uri === undefined) return undefined;
  let trusted: string | undefined;
  let client: RecorderClient | undefined;

  function connect(authority: string): RecorderClient {
    const limits = { connectTimeoutMs: CONNECT_MS, stallTimeoutMs: answerMs, answerTimeoutMs: answerMs };
    const tls = { ca: authority === "" ? rootCertificates : [...rootCertificates, authority] };
    return connectRecorder({
      uri: new URL(uri ?? ""),
      http: httpTransport({ clock, tls, proxies: withoutProxy, ...limits }),
      token: tokenFile === undefined ? undefined : async () => (await readFile(tokenFile, "utf8")).trim(),
      credentialsField: "authorization",
    });
  }

  async function current(): Promise<RecorderClient> {
    // Without it, the recorder's certificate is signed by an authority that everybody trusts.
    const authority = caFile === undefined ? "" : await readFile(caFile, "utf8").catch(() => "");
    if (client !== undefined && authority === trusted) return client;
    const earlier = client;
    if (earlier !== undefined) clock.after(underWayMs, () => earlier.close());
    trusted = authority;
    client = connect(authority);
    return client;
  }

  return {
    async ask(question) {
      const recorder = await current();
      try {
        return await question(recorder);
      } catch (error) {
        const cause = error instanceof Error ? error.cause : undefined;
        if (!isHttpError(cause) || cause.kind !== "unreachable") throw error;
        return await question(recorder);
      }
    },
    close: () => client?.close(),
  };
}
