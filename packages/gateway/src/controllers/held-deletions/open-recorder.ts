import { readFile } from "node:fs/promises";
import { rootCertificates } from "node:tls";
import { httpTransport, isHttpError, withoutProxy } from "@kindling/http";
import type { Clock } from "@kindling/outside";
import { type AskedPod, connectRecorder, type PodEnd, type RecorderClient } from "@kindling/recorder-client";
import type { RecorderSettings } from "../../config/recorder-keys.ts";

/** The recorder, as far as deletions need it. */
export interface OpenRecorder {
  ask(pods: readonly AskedPod[]): Promise<ReadonlyMap<string, PodEnd>>;
  close(): void;
}

const CONNECT_MS = 2_000;
/** Nothing is held for longer. */
const ANSWER_MS = 5_000;

/**
 * The recorder of the settings; undefined if there is none. The token and the certificates are read for each question: the
 * kubelet renews them.
 */
export function openRecorder(config: RecorderSettings, clock: Clock): OpenRecorder | undefined {
  const { "recorder.uri": uri, "recorder.tokenFile": tokenFile, "recorder.caFile": caFile } = config;
  if (uri === undefined) return undefined;
  let trusted: string | undefined;
  let client: RecorderClient | undefined;

  function connect(authority: string): RecorderClient {
    const limits = { connectTimeoutMs: CONNECT_MS, stallTimeoutMs: ANSWER_MS, answerTimeoutMs: ANSWER_MS };
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
    // Questions may be under way.
    if (earlier !== undefined) clock.after(2 * ANSWER_MS, () => earlier.close());
    trusted = authority;
    client = connect(authority);
    return client;
  }

  return {
    async ask(pods) {
      const recorder = await current();
      try {
        return await recorder.podEnds(pods, ANSWER_MS);
      } catch (error) {
        // The recorder has closed a connection that was idle.
        const cause = error instanceof Error ? error.cause : undefined;
        if (!isHttpError(cause) || cause.kind !== "unreachable") throw error;
        return await recorder.podEnds(pods, ANSWER_MS);
      }
    },
    close: () => client?.close(),
  };
}
