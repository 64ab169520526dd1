import { Agent, request, type AgentOptions } from "node:https";
import { createSecureContext, type SecureContext } from "node:tls";
import { httpError } from "../errors/http-error.ts";
import type { TlsOptions } from "./tls-options.ts";

export { request };

/** Connections with TLS. */
export function secureAgent(options: AgentOptions): Agent {
  return new Agent(options);
}

/** @throws HttpError `options` for invalid certificates or keys */
export function secureOptions(tls: TlsOptions): AgentOptions {
  return {
    secureContext: secureContext(tls),
    // Set explicitly, so that NODE_TLS_REJECT_UNAUTHORIZED in the environment does not turn it off.
    rejectUnauthorized: tls.insecureSkipVerify !== true,
    ...(tls.servername !== undefined && { servername: tls.servername }),
  };
}

/** Made once and shared by all connections: parsing certificates costs more than a request. */
function secureContext({ ca, cert, key, insecureSkipVerify }: TlsOptions): SecureContext {
  try {
    return createSecureContext({
      // With an empty list, Node does not load the system's authorities if nothing is checked.
      ...(insecureSkipVerify === true ? { ca: [] } : ca !== undefined && { ca: typeof ca === "string" ? ca : [...ca] }),
      ...(cert !== undefined && { cert }),
      ...(key !== undefined && { key }),
    });
  } catch (error) {
    const words = `the certificate or key cannot be used: ${error instanceof Error ? error.message : String(error)}`;
    throw httpError({ kind: "options" }, "TLS", words, { cause: error });
  }
}
