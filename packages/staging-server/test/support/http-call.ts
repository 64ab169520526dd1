import * as http from "node:http";
import * as https from "node:https";

export interface Call {
  readonly method?: string;
  readonly headers?: http.OutgoingHttpHeaders;
  readonly body?: Buffer | string;
  readonly ca?: string;
  /** Bytes of the body to send before the connection is cut. */
  readonly cutAfter?: number;
}

export interface Answer {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: Buffer;
  /** The body as JSON. */
  readonly json: unknown;
}

/** One request on a connection of its own, with exactly the headers given. */
export function httpCall(url: string, call: Call = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const { method = "GET", headers = {}, body, ca } = call;
    const send = url.startsWith("https:") ? https.request : http.request;
    const given = Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== undefined));
    const length =
      body === undefined || "transfer-encoding" in given ? {} : { "content-length": Buffer.byteLength(body) };
    const request = send(url, {
      method,
      headers: { ...length, ...given },
      agent: false,
      ...(ca !== undefined && { ca }),
    });
    request.on("error", reject);
    request.on("response", (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("error", reject);
      response.on("end", () => {
        const bytes = Buffer.concat(chunks);
        const type = response.headers["content-type"] ?? "";
        const json: unknown = type.includes("json") && bytes.length > 0 ? JSON.parse(bytes.toString()) : undefined;
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: bytes, json });
      });
    });
    if (call.cutAfter === undefined) request.end(body);
    else {
      request.flushHeaders();
      request.write(Buffer.from(body ?? "").subarray(0, call.cutAfter), () => request.destroy(new Error("cut")));
    }
  });
}
