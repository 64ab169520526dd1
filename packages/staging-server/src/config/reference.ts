import { settingsReference } from "@kindling/settings";
import { SERVER_KEYS } from "./keys/server-keys.ts";

/** The reference of settings as Markdown, made from the declared schema. */
export function configReference(): string {
  return settingsReference(SERVER_KEYS, INTRODUCTION);
}

const INTRODUCTION = `# Settings

Each setting can stand in a file, in the environment, or on the command line; the latter wins. The file is a Java
properties file (\`--config FILE\` or \`KINDLING_STAGING_CONFIG\`), so that the old fork's can be used as it is: its keys
that are named here are understood, its other \`spark.*\` keys are passed over.

A setting \`listen.port\` is \`--listen-port\` as a flag and \`KINDLING_STAGING_LISTEN_PORT\` in the environment. Sizes are
written as \`512m\` or \`20g\`, durations as \`30s\`, \`10min\` or \`7d\`.
`;
