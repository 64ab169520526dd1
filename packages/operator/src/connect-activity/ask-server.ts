import { messageOf } from "@kindling/core-spec";
import {
  discardBody,
  hasAtMostValues,
  httpTransport,
  type HttpTransport,
  readText,
  withoutProxy,
} from "@kindling/http";
import type { Clock } from "@kindling/outside";
import type { ServerActivity } from "../connect-states/server-activity.ts";
import { applicationIdIn, readActivity } from "./read-activity.ts";

/** Where Spark's UI of a server is. */
export interface UiPlace {
  readonly ip: string;
  readonly port: number;
}

export interface ActivityAsker {
  /** Never rejects. */
  ask(place: UiPlace): Promise<ServerActivity>;
  close(): void;
}

const CONNECT_MS = 5_000;
const ANSWER_MS = 10_000;
/** Spark keeps a thousand jobs and a thousand queries unless a user wants more. */
const MOST_BYTES = 16 * 1024 * 1024;
const MOST_VALUES = 500_000;
/** Without a length, Spark lists only the first queries. */
const QUERIES = "sql?details=false&planDescription=false&length=100000";

/** Asks servers by the REST API of Spark's UI, at the addresses of their pods. */
export function createActivityAsker(clock: Clock): ActivityAsker {
  const transport = httpTransport({
    ...{ clock, tls: {}, proxies: withoutProxy },
    ...{ connectTimeoutMs: CONNECT_MS, stallTimeoutMs: ANSWER_MS, answerTimeoutMs: ANSWER_MS },
  });
  return {
    async ask({ ip, port }) {
      const root = `http://${ip.includes(":") ? `[${ip}]` : ip}:${port}/api/v1/applications`;
      try {
        const id = applicationIdIn(await fetchJson(transport, root));
        if (id === undefined) return { kind: "unknown", why: "Spark's UI knows no application" };
        const application = `${root}/${encodeURIComponent(id)}`;
        // One after the other: a query that begins between the two answers has its job later than its entry.
        const jobs = await fetchJson(transport, `${application}/jobs`);
        return readActivity(jobs, await fetchJson(transport, `${application}/${QUERIES}`));
      } catch (error) {
        return { kind: "unknown", why: `Spark's UI does not answer: ${messageOf(error)}` };
      }
    },
    close: () => transport.close(),
  };
}

async function fetchJson(transport: HttpTransport, url: string): Promise<unknown> {
  const headers = { accept: "application/json" };
  const response = await transport.send({ method: "GET", url: new URL(url), headers, direct: true });
  if (response.status !== 200) {
    discardBody(response);
    throw new Error(`status ${response.status}`);
  }
  const within = { clock: transport.clock, milliseconds: ANSWER_MS };
  const text = await readText(response, { mostBytes: MOST_BYTES, within });
  if (!hasAtMostValues(text, MOST_VALUES)) throw new Error("the answer is too long");
  return JSON.parse(text);
}
