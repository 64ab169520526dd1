export { adminKeys, type AdminSettings } from "./admin-keys.ts";
export { AUDIT_KEYS, type AuditSettings } from "./audit-keys.ts";
export { checkCertificatePair } from "./certificate-pair.ts";
export { load, settingMissing, type SettingSources } from "./load.ts";
export { settingsReference } from "./reference.ts";
export { count, port, seconds, type Setting, type Settings, type SettingsProgram, sizeBytes, text } from "./setting.ts";
export { flagOf, variableOf } from "./spelling.ts";
export { settingsUsage } from "./usage.ts";
