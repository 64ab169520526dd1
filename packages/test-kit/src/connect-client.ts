import { type ClientHttp2Session, type ClientHttp2Stream, connect } from "node:http2";
import { randomUUID } from "node:crypto";
import { framed, request } from "./connect-messages.ts";

export interface CallOptions {
  readonly token?: string;
  readonly session?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The whole body instead of a usual request. */
  readonly body?: Buffer;
  readonly path?: string;
}

/** How a call ended for its client. */
export interface Ended {
  /** gRPC's status; empty if none came. */
  readonly status: string;
  readonly message: string;
  /** The text of `grpc-status-details-bin`, as far as it is readable. */
  readonly details: string;
  readonly body: Buffer;
}

/** A client of Spark Connect that does all that a test says, also things that no real client would do. */
export class ConnectClient {
  readonly session: ClientHttp2Session;

  readonly #token: string;

  /**
   * @param uri the address of the service
   * @param options the certificate that it trusts, and the token of its calls; empty: none
   */
  constructor(uri: string, { ca, token }: { readonly ca?: string; readonly token: string }) {
    this.#token = token;
    this.session = connect(uri, { ...(ca !== undefined && { ca }) });
    this.session.on("error", () => undefined);
  }

  /** Begins a call; nothing of its body is sent. */
  begin(method: string, { token = this.#token, headers = {}, path }: CallOptions = {}): ClientHttp2Stream {
    const stream = this.session.request(
      {
        ":method": "POST",
        ":path": path ?? `/spark.connect.SparkConnectService/${method}`,
        "content-type": "application/grpc",
        te: "trailers",
        ...(token !== "" && { authorization: `Bearer ${token}` }),
        ...headers,
      },
      { endStream: false },
    );
    stream.on("error", () => undefined);
    return stream;
  }

  /** Makes a call, and waits for its end. */
  async call(method: string, options: CallOptions = {}): Promise<Ended> {
    const stream = this.begin(method, options);
    const ended = endOf(stream);
    stream.end(options.body ?? framed(request(options.session ?? randomUUID())));
    return await ended;
  }

  close(): void {
    this.session.destroy();
  }
}

/** Waits for the end of a call. */
export function endOf(stream: ClientHttp2Stream): Promise<Ended> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let last: Readonly<Record<string, unknown>> = {};
    stream.on("response", (headers) => (last = headers));
    stream.on("trailers", (trailers) => (last = trailers));
    stream.on("data", (chunk: Buffer) => chunks.push(chunk));
    stream.on("close", () =>
      resolve({
        status: String(last["grpc-status"] ?? ""),
        message: decodeURIComponent(String(last["grpc-message"] ?? "")),
        details: Buffer.from(String(last["grpc-status-details-bin"] ?? ""), "base64").toString("latin1"),
        body: Buffer.concat(chunks),
      }),
    );
  });
}
