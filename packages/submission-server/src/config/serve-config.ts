import type { ListenSettings, LogLevel } from "@kindling/service";

/** How clients may authenticate. */
export type AuthenticationMode = "none" | "token" | "kubernetes" | "mtls";

/** All settings of the service, read and checked. Sizes are bytes, durations seconds. The reference is in `serve-keys.ts`. */
export interface ServeConfig extends ListenSettings {
  readonly "listen.connections": number;
  readonly "listen.trustedProxies": readonly string[];

  readonly "tls.certFile": string | undefined;
  readonly "tls.keyFile": string | undefined;
  readonly "tls.clientCaFile": string | undefined;
  readonly "tls.reloadInterval": number;
  readonly "tls.plainHttp": boolean;

  readonly "auth.modes": readonly AuthenticationMode[];
  readonly "auth.accessFile": string | undefined;
  readonly "auth.audiences": readonly string[];
  readonly "auth.cache": number;
  readonly "auth.reviews": number;

  readonly "cluster.kubeconfig": string | undefined;
  readonly "cluster.namespaces": readonly string[];

  readonly "submit.defaultsFile": string | undefined;
  readonly "submit.deniedKeys": readonly string[];
  readonly "submit.steps": readonly string[];

  readonly "limits.connectionsPerClient": number | undefined;
  readonly "limits.writeStall": number;
  readonly "limits.failedReviews": number;
  readonly "limits.submissions": number;
  readonly "limits.submissionsPerSubject": number;
  readonly "limits.requestBytes": number;
  readonly "limits.requestTimeout": number;
  readonly "limits.reports": number;
  readonly "limits.streams": number;
  readonly "limits.streamsPerSubject": number;
  readonly "limits.eventsKept": number;

  readonly "shutdown.grace": number;
  readonly "log.level": LogLevel;
}
