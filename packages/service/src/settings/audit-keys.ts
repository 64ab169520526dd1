import { type Settings, text } from "./setting.ts";

export interface AuditSettings {
  readonly "audit.logPath": string | undefined;
}

/** kube-apiserver's flag of the same name; without its rotation. */
export const AUDIT_KEYS: Settings<AuditSettings> = {
  "audit.logPath": {
    type: text,
    default: undefined,
    doc:
      "File to which a line is added for each decision that changes something or refuses somebody; `-` is stdout. " +
      "Unset: there is no audit log. Rename or remove the file to rotate it. docs/audit.md says what the lines have.",
  },
};
