import {
  isStagingError,
  readRefusal,
  StagingError,
  type HttpResponse,
  type HttpTransport,
} from "@kindling/staging-client";
import { refusalWords } from "../refusal-words.ts";
import type { HdfsLocation } from "./hdfs-location.ts";

/** The service that answers for a file system's names. */
export interface NameNode {
  /** Sends one operation; an answer that is no success is thrown. Redirects are answers. */
  ask(operation: string, parameters: Readonly<Record<string, string>>, signal: AbortSignal): Promise<NameNodeAnswer>;
}

export interface NameNodeAnswer {
  readonly response: HttpResponse;
  readonly url: URL;
}

export interface NameNodeOptions {
  readonly location: HdfsLocation;
  readonly transport: HttpTransport;
  /** Where the bytes may come from besides those services' own hosts. */
  readonly dataNodeHosts: readonly string[];
  /** Who is asking: sent to these services alone. */
  readonly identity: (service: URL) => Promise<Identity>;
}

export interface Identity {
  readonly query: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
}

/** Asks the service that answered last; the others where that one is in standby or away. */
export function nameNode({ location, transport, identity }: NameNodeOptions): NameNode {
  const { services, path } = location;
  let active = 0;
  return {
    async ask(operation, parameters, signal) {
      for (let tried = 1; ; tried++) {
        const service = services[active % services.length] ?? new URL("http://invalid./");
        const url = new URL(`${service.href.replace(/\/+$/, "")}/webhdfs/v1${path}`);
        const { query, headers } = await identity(service);
        url.search = new URLSearchParams({ op: operation, ...parameters, ...query }).toString();
        try {
          const response = await transport.send({ method: "GET", url, headers, signal });
          if (response.status < 400) return { response, url };
          throw await refusal(response, transport, url);
        } catch (error) {
          const elsewhere =
            isStagingError(error) && (error.fault === "connect" || error.fault === "stalled" || error.retryable);
          if (!elsewhere || tried >= services.length || signal.aborted) throw error;
          active++;
        }
      }
    },
  };
}

// Exceptions of a name node that passes: it starts, or another one is active.
const PASSING: ReadonlySet<string> = new Set([
  "StandbyException",
  "RetriableException",
  "SafeModeException",
  "ServerTooBusyException",
]);

/** What a name node's or a data node's refusal means (Hadoop, "WebHDFS REST API", Error Responses). */
export async function refusal(response: HttpResponse, transport: HttpTransport, url: URL): Promise<StagingError> {
  const { status } = response;
  const { exception, message } = remoteException(await readRefusal(response, transport));
  const [firstLine = ""] = (message ?? "").split("\n", 1);
  const words = exception === undefined ? `HTTP status ${status}` : refusalWords(firstLine, exception, transport);
  const text = `${url.host}: ${words}`;
  if (exception !== undefined && PASSING.has(exception))
    return new StagingError("server", text, { status, retryable: true });
  if (status === 404) return new StagingError("not-found", text, { status });
  if (status === 401 || status === 403) return new StagingError("forbidden", text, { status });
  const overloaded = status === 429 || status === 503;
  const retryable = overloaded || status === 408 || status >= 500;
  return new StagingError(overloaded ? "overloaded" : status >= 500 ? "server" : "rejected", text, {
    status,
    retryable,
  });
}

function remoteException(text: string): { readonly exception?: string; readonly message?: string } {
  try {
    const document = JSON.parse(text) as { RemoteException?: { exception?: unknown; message?: unknown } } | null;
    const { exception, message } = document?.RemoteException ?? {};
    return {
      ...(typeof exception === "string" && { exception }),
      ...(typeof message === "string" && { message }),
    };
  } catch {
    return {};
  }
}
