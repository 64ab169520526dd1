import { port, type Settings, text } from "./setting.ts";

export interface AdminSettings {
  readonly "admin.host": string;
  readonly "admin.port": number;
}

/** Where a service's health checks and metrics are. */
export function adminKeys(host: string, defaultPort: string): Settings<AdminSettings> {
  return {
    "admin.host": { type: text, default: host, doc: "Address of health checks and metrics." },
    "admin.port": {
      type: port,
      default: defaultPort,
      doc: "Port of `/healthz`, `/readyz` and `/metrics`, in plain HTTP; 0 takes a free one.",
    },
  };
}
