import { lookup, resolveSrv } from "node:dns/promises";
import { httpTransport, readText, withoutProxy } from "@kindling/http";
import type { Outside } from "@kindling/outside";
import type { AskHttp } from "../hadoop/ask-name-node.ts";
import type { DelegationTokenMeans } from "../hadoop/fetch-delegation-tokens.ts";
import { askByTcp } from "../kdc/ask-by-tcp.ts";
import type { FindServers } from "../kdc/kdc-client.ts";

// A name node that is away must not delay the next one for long.
const CONNECT_MS = 10_000;
const ANSWER_MS = 30_000;
const MOST_BYTES = 1024 * 1024;

export interface TokenMeansOptions extends Pick<Outside, "clock" | "random"> {
  readonly signal?: AbortSignal | undefined;
  /** The authorities of name nodes with TLS, in PEM; without them, Node's own. */
  readonly authorities?: readonly string[] | undefined;
}

/** The network of this machine for delegation tokens. */
export interface OpenTokenMeans {
  readonly means: DelegationTokenMeans;
  readonly close: () => void;
}

/** Opens the network for fetching and renewing tokens. Name nodes are asked directly, as Hadoop's clients do. */
export function openTokenMeans({ clock, random, signal, authorities }: TokenMeansOptions): OpenTokenMeans {
  const transport = httpTransport({
    clock,
    tls: { ca: authorities },
    proxies: withoutProxy,
    connectTimeoutMs: CONNECT_MS,
    stallTimeoutMs: ANSWER_MS,
    answerTimeoutMs: ANSWER_MS,
  });
  const askHttp: AskHttp = async (url, { method, headers }) => {
    const response = await transport.send({ method, url, headers, signal });
    return { status: response.status, text: await readText(response, { mostBytes: MOST_BYTES }) };
  };
  const means = { clock, random, askKdc: askByTcp(clock, signal), findServers, askHttp, addressOf };
  return { means, close: () => transport.close() };
}

/** By their priority (RFC 2782). */
const findServers: FindServers = async (name) => {
  const records = await resolveSrv(name).catch(() => []);
  return records.sort((a, b) => a.priority - b.priority).map(({ name: host, port }) => ({ host, port }));
};

/** Java takes the first address, and those of IPv4 before others. */
async function addressOf(host: string): Promise<string | undefined> {
  const found = await lookup(host.replaceAll(/^\[|\]$/g, ""), { order: "ipv4first" }).catch(() => undefined);
  return found?.address;
}
