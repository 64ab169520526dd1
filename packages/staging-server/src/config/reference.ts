import { settingsReference } from "@kindling/service/settings";
import { SERVER_KEYS } from "./keys/server-keys.ts";

/** The reference of settings as Markdown, made from the declared schema. */
export function configReference(): string {
  return settingsReference(SERVER_KEYS, INTRODUCTION);
}

const INTRODUCTION = `# Settings

You can give each setting in a file, in the environment, or on the command line. The command line wins over the
environment, and the environment over the file. The file is a Java properties file (\`--config FILE\` or
\`KINDLING_STAGING_CONFIG\`). You can use the old fork's file as it is: the server reads those of the fork's keys that
are named here, and ignores its other \`spark.*\` keys.

A setting \`listen.port\` is \`--listen-port\` as a flag and \`KINDLING_STAGING_LISTEN_PORT\` in the environment. Sizes are
written as \`512m\` or \`20g\`, durations as \`30s\`, \`10min\` or \`7d\`.
`;
