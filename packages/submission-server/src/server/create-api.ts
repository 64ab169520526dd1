import type { Step } from "@kindling/core-spec";
import type { AuditLog, ServerCertificate } from "@kindling/service";
import type { ChangeLog } from "../applications/change-log.ts";
import type { ServeConfig } from "../config/serve-keys.ts";
import { type App, createApp } from "../http/app.ts";
import { serveRoutes } from "../routes/serve-routes.ts";
import type { ServiceContext } from "../routes/service-context.ts";
import { Submissions } from "../submissions/submissions.ts";

export interface ApiOptions extends Omit<ServiceContext, "submissions" | "events" | "connections" | "audit"> {
  readonly changes: ChangeLog;
  readonly auditLog: AuditLog;
  readonly tls: ServerCertificate | undefined;
  /** Configuration that each submission starts with. */
  readonly defaults: Readonly<Record<string, string>>;
  /** Steps that run for each submission. */
  readonly steps: readonly Step[];
  /** Called with the reason when a connection was cut or refused. */
  readonly onCut: (reason: string) => void;
}

/** Creates the HTTP server with all its routes. It does not listen yet. */
export async function createApi(config: ServeConfig, options: ApiOptions): Promise<App> {
  const { changes, auditLog, tls, defaults, steps, onCut, ...context } = options;
  const { client, outside, applications } = context;
  const { clock, random } = outside;
  const { app, connections } = createApp({ config, tls, requestId: () => random.uuid(), clock, onCut });
  const submissions = new Submissions({
    ...{ client, defaults, steps, outside },
    namespaces: config["cluster.namespaces"],
    deniedKeys: config["submit.deniedKeys"],
  });
  const events = { applications, changes, run: random.uuid().slice(0, 8), clock };
  const isLocalOnly = config["auth.modes"].includes("none");
  await serveRoutes(app, { ...context, submissions, events, connections }, { isLocalOnly, auditLog });
  return { app, connections };
}
