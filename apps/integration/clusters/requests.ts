import { text } from "node:stream/consumers";
import { serviceTransport, type KubeClient } from "@kindling/kube";

/** The text at a path of the API server, read with the credentials of a client. */
export async function textOf({ access }: KubeClient, path: string, accept = "*/*"): Promise<string> {
  const transport = serviceTransport(access, { connectTimeoutMs: 10_000 });
  try {
    const url = new URL(`${access.server}${path}`);
    const { status, body } = await transport.send({ method: "GET", url, headers: { accept } });
    const answer = await text(body);
    if (status !== 200) throw new Error(`${path} was answered with ${status}: ${answer}`);
    return answer;
  } finally {
    transport.close();
  }
}
