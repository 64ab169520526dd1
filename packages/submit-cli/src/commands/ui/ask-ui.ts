import { ForwardingError, type KubeClient, linkedAbort } from "@kindling/kube";
import type { Clock } from "@kindling/outside";

/** What a port of a driver answers to a request for its first page. */
export type UiAnswer =
  /** Nobody listens there. */
  | { readonly kind: "nobody" }
  | { readonly kind: "redirect"; readonly to: URL }
  /** Anything else, or nothing in time. */
  | { readonly kind: "other" };

export interface UiPort {
  readonly namespace: string;
  readonly pod: string;
  readonly port: number;
}

export interface AskingUi {
  readonly client: Pick<KubeClient, "portForward" | "logs" | "get">;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** The host that requests name: Spark puts it into its redirects. */
export const ASKED_HOST = "kindling.invalid";

const PATIENCE_MS = 5_000;
const LONGEST_HEAD = 16 * 1024;

/**
 * Asks a port for its first page. Spark leads from there to /jobs/, or to the port that speaks TLS (JettyUtils.scala,
 * createRedirectHttpsHandler).
 *
 * @throws KubeError if ports of the pod cannot be reached at all
 */
export async function askUi({ namespace, pod, port }: UiPort, asking: AskingUi): Promise<UiAnswer> {
  const { client, clock, signal } = asking;
  const link = linkedAbort(signal);
  let isLate = false;
  const cancel = clock.after(PATIENCE_MS, () => {
    isLate = true;
    link.abort();
  });
  try {
    const socket = await client.portForward(pod, port, { namespace, signal: link.signal });
    socket.write(`GET / HTTP/1.1\r\nHost: ${ASKED_HOST}\r\nConnection: close\r\n\r\n`);
    let head = "";
    for await (const chunk of socket) {
      head += (chunk as Buffer).toString("latin1");
      if (head.includes("\r\n\r\n") || head.length > LONGEST_HEAD) break;
    }
    return answerIn(head);
  } catch (error) {
    if (error instanceof ForwardingError) return { kind: "nobody" };
    if (isLate) return { kind: "other" };
    throw error;
  } finally {
    cancel();
    link.release();
  }
}

function answerIn(head: string): UiAnswer {
  const [, location] = /^HTTP\/1\.\d 30\d [^]*?\r\nlocation:\s*(\S+)\r\n/i.exec(head) ?? [];
  const from = `http://${ASKED_HOST}/`;
  return location !== undefined && URL.canParse(location, from)
    ? { kind: "redirect", to: new URL(location, from) }
    : { kind: "other" };
}
